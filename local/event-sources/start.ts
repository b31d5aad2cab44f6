// Starts what feeds functions from queues and streams, after checking that their roles allow it.
import type { LocalDynamoDb } from '../dynamodb/index.ts';
import type { LocalFunction } from '../lambda/functions.ts';
import { startQueueConsumer } from '../sqs/consumer.ts';
import type { MessageStore } from '../sqs/message-store.ts';
import type { Queue } from '../sqs/queues.ts';
import { StartError } from '../start-error.ts';
import { describeAbandoned } from '../streams/abandoned.ts';
import { openCheckpoint } from '../streams/checkpoint.ts';
import { type StreamFaults, startStreamConsumer } from '../streams/consumer.ts';
import type { Authorize } from '../template/roles.ts';
import type { QueueSource, StreamSource } from './definitions.ts';

export type EventSourcesOptions = {
  queueSources: readonly QueueSource[];
  streamSources: readonly StreamSource[];
  queues: readonly Queue[];
  store: MessageStore;
  dynamodb: LocalDynamoDb;
  authorize: Authorize;
  /** Where checkpoints are kept. */
  folder: string;
  streamFaults: StreamFaults;
  /** The wait before a failed stream batch is tried again; it doubles each time. */
  retryDelayMs: number;
  onFailure: (error: unknown) => void;
};

export type EventSources = {
  /** Age of the oldest stream record that a mapping is not done with, by mapping. */
  iteratorAgesMs(): Record<string, number>;
  close(): Promise<void>;
};

/** Lambda itself refuses a mapping whose role could not read its source. */
function requireGrants(authorize: Authorize, fn: LocalFunction, arn: string, actions: string[]) {
  const missing = actions.filter((action) => !authorize(fn.logicalId, action, arn));
  if (missing.length === 0) return;
  throw new StartError(`${fn.logicalId} is fed from ${arn} but may not ${missing.join(', ')}`);
}

const queueActions = ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'];
const streamActions = [
  'dynamodb:DescribeStream',
  'dynamodb:GetRecords',
  'dynamodb:GetShardIterator',
];

function startQueueSource(source: QueueSource, options: EventSourcesOptions) {
  const { fn, sourceArn, batchSize, maxConcurrency, reportsFailures } = source;
  const queue = options.queues.find(({ arn }) => arn === sourceArn);
  if (!queue) throw new StartError(`${source.mappingId} reads ${sourceArn}, unknown here`);
  requireGrants(options.authorize, fn, sourceArn, queueActions);
  return startQueueConsumer({
    queue,
    store: options.store,
    batchSize,
    maxConcurrency: Math.min(maxConcurrency ?? fn.pool.maxEnvironments, fn.pool.maxEnvironments),
    reportsFailures,
    invoke: (event) => fn.pool.invoke(event),
  });
}

function startStreamSource(source: StreamSource, options: EventSourcesOptions) {
  const { fn, sourceArn, mappingId, mapping, onFailureArn } = source;
  const tableName = /:table\/([^/]+)\/stream\//.exec(sourceArn)?.[1] ?? '';
  const failures = options.queues.find(({ arn }) => arn === onFailureArn);
  requireGrants(options.authorize, fn, sourceArn, streamActions);
  if (failures) requireGrants(options.authorize, fn, failures.arn, ['sqs:SendMessage']);
  else if (onFailureArn)
    throw new StartError(`${mappingId} reports to ${onFailureArn}, unknown here`);
  return startStreamConsumer({
    mapping,
    read: (from, signal) => options.dynamodb.readStream(tableName, { from, signal }),
    checkpoint: openCheckpoint(options.folder, mappingId),
    faults: options.streamFaults,
    retryDelayMs: options.retryDelayMs,
    invoke: (event) => fn.pool.invoke(event),
    onAbandoned: (abandoned) => {
      if (failures) options.store.send(failures, { body: describeAbandoned(abandoned, fn.arn) });
    },
    onFailure: options.onFailure,
  });
}

/** Starts every mapping. */
export function startEventSources(options: EventSourcesOptions): EventSources {
  const queueClosers = options.queueSources.map((source) => startQueueSource(source, options));
  const consumers = options.streamSources.map((source) => ({
    mappingId: source.mappingId,
    consumer: startStreamSource(source, options),
  }));
  return {
    iteratorAgesMs: () =>
      Object.fromEntries(consumers.map((it) => [it.mappingId, it.consumer.iteratorAgeMs()])),
    close: async () => {
      await Promise.all([
        ...queueClosers.map((close) => close()),
        ...consumers.map(({ consumer }) => consumer.close()),
      ]);
    },
  };
}
