// The whole Hub on one machine, from the synthesized template.
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { createClock, type StackClock } from './clock.ts';
import { type LocalDynamoDb, startLocalDynamoDb } from './dynamodb/index.ts';
import { readHttpApi } from './http-api/from-template.ts';
import { createHttpApi, type HttpCall } from './http-api/gateway.ts';
import { createThrottle } from './http-api/throttle.ts';
import type { EnvironmentMode } from './lambda/environment.ts';
import { type LocalFunction, type LogLine, localFunctions } from './lambda/functions.ts';
import type { Report } from './lambda/pool.ts';
import { StartError } from './start-error.ts';
import { loadAssembly, type StackTemplate } from './template/load.ts';
import { Resolver } from './template/resolve.ts';
import { refuseUnknownTypes } from './template/resource-types.ts';
import { readTables } from './template/tables.ts';

export type StackOptions = {
  /** The cloud assembly to run. */
  assembly: string;
  /** Where everything is kept; made if absent. */
  folder: string;
  /** 0 takes any free port. */
  port: number;
  mode: EnvironmentMode;
  /** Variables every function gets over those of the template, such as raised limits. */
  envOverrides?: Readonly<Record<string, string>>;
  compileCache?: string;
  /** Whether the stage's request limits hold. */
  throttles?: boolean;
  remapsWwwAuthenticate?: boolean;
  /** How far ahead of the machine's clock the stack's starts. */
  nowShiftMs?: number;
  onLog?: (line: LogLine) => void;
  onReport?: (report: Report) => void;
  onCall?: (call: HttpCall) => void;
};

/** A running stack. */
export type Stack = {
  /** The Hub's address, without a slash at the end. */
  url: string;
  dynamodb: LocalDynamoDb;
  functions: ReadonlyMap<string, LocalFunction>;
  clock: StackClock;
  /** The template's outputs. */
  outputs: Readonly<Record<string, string>>;
  close(): Promise<void>;
};

function onlyStack(assembly: string): StackTemplate {
  const [stack, second] = loadAssembly(assembly);
  if (stack && !second) return stack;
  throw new StartError(`${assembly} must hold exactly one stack`);
}

async function listen(port: number): Promise<{ server: Server; url: string }> {
  const server = createServer({ maxHeaderSize: 64 * 1024 });
  server.listen(port, '127.0.0.1');
  try {
    await once(server, 'listening');
  } catch (error) {
    const isTaken = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    if (!isTaken) throw error;
    throw new StartError(
      `Port ${port} is in use: stop what listens there, or choose another with --port`,
    );
  }
  const address = server.address();
  const actual = typeof address === 'object' && address ? address.port : port;
  return { server, url: `http://127.0.0.1:${actual}` };
}

async function closeServer(server: Server): Promise<void> {
  const closed = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await closed;
}

/** Starts everything the template describes; resolves when requests are answered. */
export async function startStack(options: StackOptions): Promise<Stack> {
  const closers: (() => Promise<void>)[] = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    return { ...(await start(options, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(
  options: StackOptions,
  closers: (() => Promise<void>)[],
): Promise<Omit<Stack, 'close'>> {
  const template = onlyStack(options.assembly);
  refuseUnknownTypes(template.template);
  const resolver = new Resolver(template.template);
  const resources = resolver.resources();
  mkdirSync(options.folder, { recursive: true });

  const { server, url } = await listen(options.port);
  closers.push(() => closeServer(server));
  const dynamodb = await startLocalDynamoDb({
    folder: join(options.folder, 'dynamodb'),
    tables: readTables(resources),
  });
  closers.push(() => dynamodb.close());

  const clock = createClock(options.nowShiftMs ?? 0, (shiftMs) => {
    for (const { pool } of functions.values()) pool.setClockShift(shiftMs);
  });
  const localize = (value: string) => value;
  const functions = localFunctions(template, resources, {
    mode: options.mode,
    maxEnvironments: 2,
    overrides: { AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint, ...options.envOverrides },
    localize,
    clockShiftMs: clock.shiftMs,
    compileCache: options.compileCache,
    onLog: options.onLog ?? (() => {}),
    onReport: options.onReport ?? (() => {}),
  });
  closers.push(async () => {
    await Promise.all([...functions.values()].map(({ pool }) => pool.close()));
  });

  const api = readHttpApi(resources, functions);
  const listener = createHttpApi({
    api: api.identity,
    routes: api.routes,
    admits: createThrottle(
      options.throttles ? api.stageLimits : undefined,
      options.throttles ? api.routeLimits : {},
      Date.now,
    ),
    remapsWwwAuthenticate: options.remapsWwwAuthenticate ?? false,
    nowMs: clock.now,
    onCall: options.onCall ?? (() => {}),
  });
  server.on('request', (request, response) => void listener(request, response));
  return { url, dynamodb, functions, clock, outputs: {} };
}
