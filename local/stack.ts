// The whole Hub on one machine, run from the synthesized template.
import { join } from 'node:path';
import { createLocalizer } from './addresses.ts';
import { createClock, type StackClock } from './clock.ts';
import { type Cognito, startCognito } from './cognito/start.ts';
import { type Definition, readDefinition } from './definition.ts';
import { type LocalDynamoDb, startLocalDynamoDb } from './dynamodb/index.ts';
import { startEventSources } from './event-sources/start.ts';
import { type Backends, serveDirectly, serveThroughFrontDoor } from './front-door/serve.ts';
import { createHttpApi } from './http-api/gateway.ts';
import { type HubListeners, startHubServer } from './http-api/server.ts';
import { createThrottle } from './http-api/throttle.ts';
import { Functions } from './lambda/functions.ts';
import { openSecretKey } from './secret-key.ts';
import { startSqs } from './sqs/endpoint.ts';
import { type Depth, MessageStore } from './sqs/message-store.ts';
import { type SettledOptions, type StackOptions, stackDefaults } from './stack-options.ts';
import { createThrowAwayFolder, lockStateFolder } from './state-folder.ts';
import type { StreamFaults } from './streams/consumer.ts';
import { synthesizeCached } from './synth.ts';
import { account, region } from './template/names.ts';
import { Connections, type LinkFaults } from './web-socket-api/connections.ts';
import { WebSocketApi } from './web-socket-api/gateway.ts';
import { type ManagementApi, startManagementApi } from './web-socket-api/management.ts';

export type { StackOptions } from './stack-options.ts';

/** Numbers that CloudWatch would have. */
export type StackMetrics = {
  /** By mapping: age of the oldest stream record that it is not done with; 0 when there is none. */
  iteratorAgesMs: Record<string, number>;
  /** By logical ID. */
  queues: Record<string, Depth>;
};

/** A running stack. */
export type Stack = {
  /** The Hub's address, without a slash at the end. */
  url: string;
  dynamodb: LocalDynamoDb;
  /** Where people sign in; absent if the template has no user pool. */
  cognito: Cognito | undefined;
  functions: Functions;
  clock: StackClock;
  /** The open room links. */
  connections: Connections;
  /** May be changed at any time. */
  streamFaults: StreamFaults;
  /** May be changed at any time. */
  linkFaults: LinkFaults;
  /** The template's outputs, with addresses of this machine. */
  outputs: Readonly<Record<string, string>>;
  metrics(): StackMetrics;
  /** Ends everything; what was in flight is done again at the next start in this folder. */
  close(): Promise<void>;
};

/** How to end what was started, in that order. */
type Closers = (() => Promise<void> | void)[];
/** What the parts are started with. */
type Ground = {
  options: SettledOptions;
  definition: Definition;
  folder: string;
  clock: StackClock;
  closers: Closers;
};

/** Whoever calls from this machine is one person, with many agents and tests. */
const onOneMachine = { LOOPBACK_SIGN_IN_FACTOR: '1000' };
const sweepEveryMs = 60_000;
const compileCache = join(import.meta.dirname, '..', '.local', 'compile-cache');

/** Starts everything the template describes; resolves once requests are answered. */
export async function startStack(options: StackOptions = {}): Promise<Stack> {
  const closers: Closers = [];
  const close = async () => {
    for (const closer of closers.splice(0).reverse()) await closer();
  };
  try {
    return { ...(await start({ ...stackDefaults, ...options }, closers)), close };
  } catch (error) {
    await close();
    throw error;
  }
}

async function start(options: SettledOptions, closers: Closers): Promise<Omit<Stack, 'close'>> {
  const { folder: own } = options;
  const state = own === undefined ? createThrowAwayFolder() : lockStateFolder(own);
  closers.push(state.release);
  // The port first: whether it is free is known at once.
  const server = await startHubServer(options.port);
  closers.push(server.close);
  const assembly = options.assembly ?? (await synthesizeCached(options.onSynth));
  const definition = readDefinition(assembly, openSecretKey(state.path));
  const { queues, resources } = definition;
  const clock = createClock(options.nowShiftMs);
  const ground: Ground = { options, definition, folder: state.path, clock, closers };

  const cognito = await startAccounts(ground, server.url);
  const dynamodb = await startDynamoDb(ground);
  const store = new MessageStore(join(state.path, 'queues'), queues, clock.now);
  closers.push(() => store.close());
  const sqs = await startSqs({ queues, store, authorize: definition.authorize });
  closers.push(sqs.close);
  const linkFaults: LinkFaults = { dropsDisconnects: false, refusesPosts: undefined };
  const connections = new Connections(clock, linkFaults);
  closers.push(() => connections.close());
  const management = await startManagement(ground, connections);
  const localize = createLocalizer(resources, {
    hub: server.url,
    sqs: sqs.endpoint,
    cognito: cognito?.baseUrl,
    connections: management?.endpoint,
  });
  const functions = startFunctions(ground, localize, {
    AWS_ENDPOINT_URL_DYNAMODB: dynamodb.endpoint,
    AWS_ENDPOINT_URL_SQS: sqs.endpoint,
    ...(management ? { AWS_ENDPOINT_URL_APIGATEWAYMANAGEMENTAPI: management.endpoint } : {}),
  });
  clock.onShift(() => store.wake());

  const streamFaults = { repeats: false, maxBatchSize: Infinity, delayMs: 0 };
  const sources = startEventSources(definition.eventSources, {
    ...{ functions, queues, store, dynamodb, streamFaults },
    folder: join(state.path, 'streams'),
    retryDelayMs: options.retryDelayMs,
    onFailure: options.onFailure,
  });
  // The sources wait for the batches they have handed out, and those end with the functions.
  closers.push(async () => void (await Promise.all([sources.close(), functions.close()])));
  server.serve(createListeners(ground, functions, connections, linkFaults));

  const outputs = Object.entries(definition.outputs);
  return {
    ...{ url: server.url, dynamodb, cognito, functions, clock, connections },
    ...{ streamFaults, linkFaults },
    outputs: Object.fromEntries(outputs.map(([name, value]) => [name, localize(value)])),
    metrics: () => ({
      iteratorAgesMs: sources.iteratorAgesMs(),
      queues: Object.fromEntries(queues.map((queue) => [queue.logicalId, store.depth(queue)])),
    }),
  };
}

async function startAccounts(ground: Ground, hubUrl: string): Promise<Cognito | undefined> {
  const { options, definition, folder, clock, closers } = ground;
  if (!definition.accounts) return undefined;
  const nextPort = options.port === 0 ? 0 : Number(new URL(hubUrl).port) + 1;
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
    ...{ tables, authorize, region, account },
    folder: join(folder, 'dynamodb'),
  });
  closers.push(dynamodb.close);
  const sweep = setInterval(() => void dynamodb.sweepExpired().catch(() => {}), sweepEveryMs);
  closers.push(() => clearInterval(sweep));
  return dynamodb;
}

function startFunctions(
  { options, definition, clock, closers }: Ground,
  localize: (text: string) => string,
  endpoints: Record<string, string>,
): Functions {
  const { mode, maxEnvironments, onLog, onReport } = options;
  const functions = new Functions(definition.functions.values(), {
    ...{ mode, maxEnvironments, localize, compileCache, onLog, onReport },
    overrides: { ...endpoints, ...onOneMachine, ...options.envOverrides },
    clockShiftMs: clock.shiftMs,
  });
  clock.onShift((shiftMs) => functions.setClockShift(shiftMs));
  closers.push(() => functions.close());
  return functions;
}

async function startManagement(
  { definition, closers }: Ground,
  connections: Connections,
): Promise<ManagementApi | undefined> {
  const { webSocketApi, authorize } = definition;
  if (!webSocketApi) return undefined;
  const { apiId, stage } = webSocketApi;
  const management = await startManagementApi({ apiId, stage, connections, authorize });
  closers.push(management.close);
  return management;
}

function createListeners(
  { options, definition, clock }: Ground,
  functions: Functions,
  connections: Connections,
  faults: LinkFaults,
): HubListeners {
  const { identity, routes, stageLimits, routeLimits } = definition.httpApi;
  const { onCall, onLink, throttles, remapsWwwAuthenticate } = options;
  const invoke = (functionId: string, event: string) => functions.pool(functionId).invoke(event);
  const listener = createHttpApi({
    api: identity,
    routes: routes.map(({ key, functionId, timeoutMs }) => {
      return { key, target: { invoke: (event) => invoke(functionId, event), timeoutMs } };
    }),
    admits: throttles ? createThrottle(stageLimits, routeLimits, Date.now) : () => true,
    nowMs: clock.now,
    ...{ remapsWwwAuthenticate, onCall },
  });
  const links = definition.webSocketApi;
  const backends: Backends = {
    httpApi: { apiId: identity.apiId, listener },
    webSocketApi: links && {
      apiId: links.apiId,
      api: new WebSocketApi({ definition: links, connections, faults, clock, invoke, onLink }),
    },
  };
  const { frontDoor } = definition;
  return frontDoor ? serveThroughFrontDoor(frontDoor, backends) : serveDirectly(backends);
}
