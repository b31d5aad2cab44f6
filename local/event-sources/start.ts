// Starts what feeds functions from queues and streams.
import type { LocalDynamoDb } from '../dynamodb/index.ts';
import type { Functions } from '../lambda/functions.ts';
import { startQueueConsumer } from '../sqs/consumer.ts';
import type { MessageStore } from '../sqs/message-store.ts';
import type { Queue } from '../sqs/queues.ts';
import { describeAbandoned } from '../streams/abandoned.ts';
import { openCheckpoint } from '../streams/checkpoint.ts';
import {
  type StreamConsumerOptions,
  type StreamFaults,
  startStreamConsumer,
} from '../streams/consumer.ts';
import type { EventSourceDefinitions, QueueSource, StreamSource } from './definitions.ts';

export type EventSourcesOptions = {
  functions: Functions;
  queues: readonly Queue[];
  store: MessageStore;
  dynamodb: LocalDynamoDb;
  /** Where checkpoints are kept. */
  folder: string;
  streamFaults: StreamFaults;
  /** The wait before a failed stream batch is tried again; it doubles each time. */
  retryDelayMs: number;
  /** Told when a stream can no longer be read. */
  onFailure: (error: unknown) => void;
};

export type EventSources = {
  /** By mapping: age of the oldest stream record that it is not done with. */
  iteratorAgesMs(): Record<string, number>;
  close(): Promise<void>;
};

function queueByArn(queues: readonly Queue[], wanted: string): Queue {
  const queue = queues.find(({ arn }) => arn === wanted);
  if (!queue) throw new Error(`The template has no queue ${wanted}`);
  return queue;
}

function startQueueSource(source: QueueSource, options: EventSourcesOptions) {
  const { fn, sourceArn, batchSize, maxConcurrency = Infinity, reportsFailures } = source;
  const pool = options.functions.pool(fn.logicalId);
  return startQueueConsumer({
    queue: queueByArn(options.queues, sourceArn),
    store: options.store,
    batchSize,
    // More batches than environments would only wait in line while their visibility time runs.
    maxConcurrency: Math.min(maxConcurrency, pool.maxEnvironments),
    reportsFailures,
    invoke: (event) => pool.invoke(event),
  });
}

/** What a stream's consumer needs; throws where the state on disk is damaged. */
function prepareStreamSource(
  source: StreamSource,
  options: EventSourcesOptions,
): StreamConsumerOptions {
  const { fn, sourceArn, mappingId, mapping, onFailureArn } = source;
  const pool = options.functions.pool(fn.logicalId);
  const tableName = /:table\/([^/]+)\/stream\//.exec(sourceArn)?.[1] ?? '';
  const failures =
    onFailureArn === undefined ? undefined : queueByArn(options.queues, onFailureArn);
  return {
    mapping,
    read: (from, signal) => options.dynamodb.readStream(tableName, { from, signal }),
    checkpoint: openCheckpoint(options.folder, mappingId),
    faults: options.streamFaults,
    retryDelayMs: options.retryDelayMs,
    invoke: (event) => pool.invoke(event),
    onAbandoned: (abandoned) => {
      if (failures) options.store.send(failures, { body: describeAbandoned(abandoned, fn.arn) });
    },
    onFailure: options.onFailure,
  };
}

/** Starts every mapping. */
export function startEventSources(
  { queues, streams }: EventSourceDefinitions,
  options: EventSourcesOptions,
): EventSources {
  const prepared = streams.map(
    (source) => [source.mappingId, prepareStreamSource(source, options)] as const,
  );
  const consumers = new Map(prepared.map(([id, ready]) => [id, startStreamConsumer(ready)]));
  const stopQueues = queues.map((source) => startQueueSource(source, options));
  return {
    iteratorAgesMs: () =>
      Object.fromEntries([...consumers].map(([id, consumer]) => [id, consumer.iteratorAgeMs()])),
    close: async () => {
      const closing = [...consumers.values()].map((consumer) => consumer.close());
      await Promise.all([...closing, ...stopQueues.map((stop) => stop())]);
    },
  };
}
