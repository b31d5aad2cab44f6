// The whole Hub on one machine, run from the synthesized template.
import { join } from 'node:path';
import { createLocalizer } from './addresses.ts';
import { createClock, type StackClock } from './clock.ts';
import { type Cognito, startCognito } from './cognito/start.ts';
import { type Definition, readDefinition } from './definition.ts';
import { type LocalDynamoDb, startLocalDynamoDb } from './dynamodb/index.ts';
import { readQueueSources, readStreamSources } from './event-sources/definitions.ts';
import { type EventSources, startEventSources } from './event-sources/start.ts';
import { readHttpApi } from './http-api/from-template.ts';
import { createHttpApi, type HttpCall } from './http-api/gateway.ts';
import { type HubServer, startHubServer } from './http-api/server.ts';
import { createThrottle } from './http-api/throttle.ts';
import type { EnvironmentMode } from './lambda/environment.ts';
import { type LocalFunction, type LogLine, localFunctions } from './lambda/functions.ts';
import type { Report } from './lambda/outcome.ts';
import { startSqs } from './sqs/endpoint.ts';
import { type Depth, MessageStore } from './sqs/message-store.ts';
import { createThrowAwayFolder, lockStateFolder } from './state-folder.ts';
import type { StreamFaults } from './streams/consumer.ts';
import { synthesizeCached } from './synth.ts';
import { account, region } from './template/names.ts';

export type StackOptions = {
  /** Where the state is kept, one stack at a time; absent: a folder in memory, gone at the end. */
  folder?: string;
  /** The cloud assembly to run; absent: the project's own, synthesized if it changed. */
  assembly?: string;
  /** 0 takes any free port. */
  port?: number;
  /** The sign-in stand-in's; by default the next one. */
  cognitoPort?: number;
  mode?: EnvironmentMode;
  /** Environments per function; further events wait. */
  maxEnvironments?: number;
  /** Variables every function gets over those of the template, such as raised limits. */
  envOverrides?: Readonly<Record<string, string>>;
  /** Whether the stage's request limits hold. */
  throttles?: boolean;
  /** Whether `WWW-Authenticate` is renamed on its way out, as some front doors of AWS do. */
  remapsWwwAuthenticate?: boolean;
  /** How far ahead of the machine's clock the stack's starts. */
  nowShiftMs?: number;
  /** The wait before a failed stream batch is tried again; it doubles each time. */
  retryDelayMs?: number;
  onSynth?: () => void;
  onLog?: (line: LogLine) => void;
  onReport?: (report: Report) => void;
  onCall?: (call: HttpCall) => void;
  /** Told when something that should run on has stopped, such as the reading of a stream. */
  onFailure?: (error: unknown) => void;
};

/** Numbers that CloudWatch would have. */
export type StackMetrics = {
  /** By mapping: age of the oldest stream record not done with. */
  iteratorAgesMs: Record<string, number>;
  /** By logical ID. */
  queues: Record<string, Depth>;
};

/** A running stack. */
export type Stack = {
  /** The Hub's address, without a slash at the end. */
  url: string;
  dynamodb: LocalDynamoDb;
  cognito: Cognito | undefined;
  /** By logical ID. */
  functions: ReadonlyMap<string, LocalFunction>;
  clock: StackClock;
  /** May be changed at any time. */
  streamFaults: StreamFaults;
  /** The template's outputs, with addresses of this machine. */
  outputs: Readonly<Record<string, string>>;
  metrics(): StackMetrics;
  close(): Promise<void>;
};

/** What has to be ended, in the order it was started. */
type Closers = (() => Promise<void> | void)[];

/** What the parts of the stack share while it is put together. */
type Ground = {
  options: StackOptions;
  definition: Definition;
  folder: string;
  clock: StackClock;
  closers: Closers;
};

const nothing = () => {};
const sweepEveryMs = 60_000;
const compileCacheFolder = join(import.meta.dirname, '..', '.local', 'compile-cache');

/** Starts everything the template describes; resolves once requests are answered. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const closers: Closers = [];
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

async function start(options: StackOptions, closers: Closers): Promise<Omit<Stack, 'close'>> {
  const state =
    options.folder === undefined ? createThrowAwayFolder() : lockStateFolder(options.folder);
  closers.push(state.release);
  const server = await startHubServer(options.port ?? 0);
  closers.push(server.close);
  const assembly = options.assembly ?? (await synthesizeCached(options.onSynth));
  const definition = readDefinition(assembly);
  let functions: ReadonlyMap<string, LocalFunction> = new Map();
  const clock = createClock(options.nowShiftMs ?? 0, (shiftMs) => {
    for (const { pool } of functions.values()) pool.setClockShift(shiftMs);
    store.wake();
  });
  const ground: Ground = { options, definition, folder: state.path, clock, closers };

  const cognito = await startAccounts(ground, server);
  const dynamodb = await startDynamoDb(ground);
  const store = new MessageStore(join(state.path, 'queues'), definition.queues, clock.now);
  closers.push(() => store.close());
  const { queues, authorize } = definition;
  const sqs = await startSqs({ queues, store, authorize });
  closers.push(sqs.close);

  const addresses = { hub: server.url, sqs: sqs.endpoint, cognito: cognito?.baseUrl };
  const localize = createLocalizer(definition.resources, addresses);
  functions = localFunctions(definition.stack, definition.resources, {
    mode: options.mode ?? 'worker',
    maxEnvironments: options.maxEnvironments ?? 2,
    overrides: {
      AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
      AWS_ENDPOINT_URL_SQS: sqs.endpoint,
      ...options.envOverrides,
    },
    localize,
    clockShiftMs: clock.shiftMs,
    compileCache: compileCacheFolder,
    onLog: options.onLog ?? nothing,
    onReport: options.onReport ?? nothing,
  });
  const streamFaults = { repeats: false, maxBatchSize: Number.POSITIVE_INFINITY, delayMs: 0 };
  const sources = startSources(ground, { functions, dynamodb, store, streamFaults });
  serveApi(ground, server, functions);
  return {
    url: server.url,
    dynamodb,
    cognito,
    functions,
    clock,
    streamFaults,
    outputs: Object.fromEntries(
      Object.entries(definition.outputs).map(([name, value]) => [name, localize(value)]),
    ),
    metrics: () => ({
      iteratorAgesMs: sources.iteratorAgesMs(),
      queues: Object.fromEntries(queues.map((it) => [it.logicalId, store.depth(it)])),
    }),
  };
}

async function startAccounts(ground: Ground, server: HubServer): Promise<Cognito | undefined> {
  const { options, definition, folder, clock, closers } = ground;
  if (!definition.accounts) return undefined;
  const nextPort = options.port ? Number(new URL(server.url).port) + 1 : 0;
  const cognito = await startCognito({
    ...definition.accounts,
    port: options.cognitoPort ?? nextPort,
    folder: join(folder, 'cognito'),
    region,
    nowMs: clock.now,
  });
  closers.push(cognito.close);
  return cognito;
}

async function startDynamoDb(ground: Ground): Promise<LocalDynamoDb> {
  const { definition, folder, closers } = ground;
  const { tables, authorize } = definition;
  const dynamodb = await startLocalDynamoDb({
    folder: join(folder, 'dynamodb'),
    tables,
    region,
    account,
    authorize,
  });
  closers.push(dynamodb.close);
  const sweep = setInterval(() => void dynamodb.sweepExpired().catch(nothing), sweepEveryMs);
  closers.push(() => clearInterval(sweep));
  return dynamodb;
}

function startSources(
  { options, definition, folder, closers }: Ground,
  parts: {
    functions: ReadonlyMap<string, LocalFunction>;
    dynamodb: LocalDynamoDb;
    store: MessageStore;
    streamFaults: StreamFaults;
  },
): EventSources {
  const { functions, ...rest } = parts;
  const closePools = () => Promise.all([...functions.values()].map(({ pool }) => pool.close()));
  closers.push(async () => void (await closePools()));
  const sources = startEventSources({
    ...rest,
    queueSources: readQueueSources(definition.resources, functions),
    streamSources: readStreamSources(definition.resources, functions),
    queues: definition.queues,
    authorize: definition.authorize,
    folder: join(folder, 'streams'),
    retryDelayMs: options.retryDelayMs ?? 200,
    onFailure: options.onFailure ?? nothing,
  });
  closers.push(async () => {
    // They wait for the batches they have handed out, and those end with the environments.
    await Promise.all([sources.close(), closePools()]);
  });
  return sources;
}

function serveApi(
  { options, definition, clock }: Ground,
  server: HubServer,
  functions: ReadonlyMap<string, LocalFunction>,
): void {
  const api = readHttpApi(definition.resources, functions);
  const { throttles = false, remapsWwwAuthenticate = false, onCall = nothing } = options;
  const listener = createHttpApi({
    api: api.identity,
    routes: api.routes,
    admits: throttles ? createThrottle(api.stageLimits, api.routeLimits, Date.now) : () => true,
    remapsWwwAuthenticate,
    nowMs: clock.now,
    onCall,
  });
  server.serve(listener);
}
