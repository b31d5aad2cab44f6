// How a local stack may be started: what each option means and what it is by default.
import type { HttpCall } from './http-api/gateway.ts';
import type { EnvironmentMode } from './lambda/environment.ts';
import type { LogLine } from './lambda/functions.ts';
import type { Report } from './lambda/outcome.ts';
import type { LinkChange } from './web-socket-api/gateway.ts';

export type StackOptions = {
  /** Where the state is kept, one stack at a time; absent: a folder in memory, gone at the end. */
  folder?: string;
  /** The cloud assembly to run; absent: the project's own, synthesized if it changed. */
  assembly?: string;
  /** Where the Hub listens; any free port when absent or 0. */
  port?: number;
  /** Where people sign in; the port after the Hub's when absent. */
  cognitoPort?: number;
  /** Workers by default, for tests; `npm start` runs processes. */
  mode?: EnvironmentMode;
  /** Environments per function, 2 by default; further events wait. */
  maxEnvironments?: number;
  /** Variables every function gets over those of the template, such as raised limits. */
  envOverrides?: Readonly<Record<string, string>>;
  /** Whether the stage's request limits hold; off by default. */
  throttles?: boolean;
  /** Whether `WWW-Authenticate` is renamed on its way out, as some of AWS's front doors do. */
  remapsWwwAuthenticate?: boolean;
  /** How far ahead of the machine's clock the stack's starts; 0 by default. */
  nowShiftMs?: number;
  /** The wait before a failed stream batch is tried again, 200 by default; it doubles each time. */
  retryDelayMs?: number;
  /** Told when the assembly has to be made, which takes some seconds. */
  onSynth?: () => void;
  /** Each line that a function prints. */
  onLog?: (line: LogLine) => void;
  /** Each finished invocation. */
  onReport?: (report: Report) => void;
  /** Each answered request: headers only. */
  onCall?: (call: HttpCall) => void;
  /** Each link that opened, was refused, or closed: headers only. */
  onLink?: (change: LinkChange) => void;
  /** Told when something that should run on has stopped, such as the reading of a stream. */
  onFailure?: (error: unknown) => void;
};

const nothing = () => {};

/** What an option is when it is absent. */
export const stackDefaults = {
  port: 0,
  mode: 'worker',
  maxEnvironments: 2,
  envOverrides: {},
  throttles: false,
  remapsWwwAuthenticate: false,
  nowShiftMs: 0,
  retryDelayMs: 200,
  onSynth: nothing,
  onLog: nothing,
  onReport: nothing,
  onCall: nothing,
  onLink: nothing,
  onFailure: nothing,
} as const satisfies StackOptions;

/** Options in which only what has no default may be absent. */
export type SettledOptions = StackOptions &
  Required<Pick<StackOptions, keyof typeof stackDefaults>>;
