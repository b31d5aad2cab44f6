// Follows a table's stream and gives its records to a function, as Lambda's event source does.
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Outcome } from '../lambda/outcome.ts';
import type { Checkpoint } from './checkpoint.ts';
import { type Abandoned, type DeliveryOptions, deliver } from './delivery.ts';
import type { RecordFilter } from './filter.ts';
import { Progress } from './progress.ts';
import { createdAtMsOf, type StreamRecord, sequenceNumberOf } from './record.ts';

/** Settings of a mapping, as the template has them. */
export type StreamMapping = Pick<
  DeliveryOptions,
  'reportsFailures' | 'bisects' | 'maxRetries' | 'maxAgeMs'
> & {
  batchSize: number;
  windowMs: number;
  /** Batches that may be with the function at once; records of one item stay in order. */
  parallelization: number;
  startingPosition: 'TRIM_HORIZON' | 'LATEST';
  passes: RecordFilter;
};

/** What a test may do to a stream while it runs. */
export type StreamFaults = {
  /** Every batch is delivered twice. */
  repeats: boolean;
  /** Batches hold at most this many records. */
  maxBatchSize: number;
  /** Each batch waits this long first. */
  delayMs: number;
};

export type StreamConsumerOptions = {
  mapping: StreamMapping;
  /** The stream after a sequence number, or from a starting position, until the signal aborts. */
  read: (from: string, signal: AbortSignal) => AsyncIterable<StreamRecord[]>;
  checkpoint: Checkpoint;
  faults: StreamFaults;
  retryDelayMs: number;
  invoke: (event: string) => Promise<Outcome>;
  onAbandoned: (abandoned: Abandoned) => void;
  /** Told when the stream can no longer be read. */
  onFailure: (error: unknown) => void;
};

export type StreamConsumer = {
  /** Age of the oldest record that is not done with; 0 when there is none. */
  iteratorAgeMs(): number;
  close(): Promise<void>;
};

const maxUnfinished = 1_000;

type Lane = { records: StreamRecord[]; working: Promise<void> | undefined };

/** Records of one item always go the same way, so that they keep their order. */
function laneOf(record: StreamRecord, lanes: number): number {
  if (lanes === 1) return 0;
  const keys = JSON.stringify(Object.entries(record.dynamodb.Keys).sort());
  return createHash('sha256').update(keys).digest().readUInt32BE() % lanes;
}

/** Waits, unless the signal aborts. */
const pause = (ms: number, signal: AbortSignal) =>
  delay(ms, undefined, { signal }).catch(() => undefined);

/** Starts following the stream after the checkpoint. */
export function startStreamConsumer(options: StreamConsumerOptions): StreamConsumer {
  const { mapping, checkpoint, faults } = options;
  const stopping = new AbortController();
  const { signal } = stopping;
  const progress = new Progress();
  const lanes = Array.from(
    { length: mapping.parallelization },
    (): Lane => ({ records: [], working: undefined }),
  );

  function finish(records: StreamRecord[]): void {
    const reached = progress.finish(records.map(sequenceNumberOf));
    if (reached !== undefined) checkpoint.save(reached);
  }

  const deliveryOptions: DeliveryOptions = {
    ...mapping,
    retryDelayMs: options.retryDelayMs,
    signal,
    invoke: async (records) => {
      if (faults.delayMs > 0) await pause(faults.delayMs, signal);
      const event = JSON.stringify({ Records: records });
      if (faults.repeats) await options.invoke(event);
      return options.invoke(event);
    },
    onDone: finish,
    onAbandoned: options.onAbandoned,
  };

  async function work({ records }: Lane): Promise<void> {
    while (records.length > 0 && !signal.aborted) {
      const isShort = records.length < mapping.batchSize;
      if (isShort && mapping.windowMs > 0) await pause(mapping.windowMs, signal);
      const size = Math.min(mapping.batchSize, faults.maxBatchSize);
      await deliver(records.splice(0, size), deliveryOptions);
    }
  }

  function accept(records: StreamRecord[]): void {
    for (const record of records) progress.add(sequenceNumberOf(record), createdAtMsOf(record));
    finish(records.filter((record) => !mapping.passes(record)));
    for (const record of records.filter(mapping.passes)) {
      lanes[laneOf(record, lanes.length)]?.records.push(record);
    }
    for (const lane of lanes) {
      lane.working ??= work(lane).finally(() => {
        lane.working = undefined;
      });
    }
  }

  async function follow(from: string): Promise<void> {
    for await (const records of options.read(from, signal)) {
      accept(records);
      while (progress.size >= maxUnfinished && !signal.aborted) await pause(10, signal);
    }
  }

  const from = checkpoint.after ?? mapping.startingPosition;
  const following = follow(from).catch(options.onFailure);
  return {
    iteratorAgeMs: () => {
      const oldest = progress.oldestCreatedAtMs;
      return oldest === undefined ? 0 : Math.max(0, Date.now() - oldest);
    },
    close: async () => {
      stopping.abort();
      await following;
      await Promise.all(lanes.flatMap(({ working }) => working ?? []));
    },
  };
}
