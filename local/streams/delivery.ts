// Gives one batch of stream records to a function until each is done: retries, splitting, giving
// up.
import { setTimeout as delay } from 'node:timers/promises';
import { failedRecords } from '../lambda/batch-response.ts';
import type { Outcome } from '../lambda/outcome.ts';
import { createdAtMsOf, type StreamRecord, sequenceNumberOf } from './record.ts';

/** Why records were given up. */
export type FailureCondition = 'RetryAttemptsExhausted' | 'RecordAgeExceeded';
export type Abandoned = {
  condition: FailureCondition;
  records: StreamRecord[];
  invokeCount: number;
};

export type DeliveryOptions = {
  reportsFailures: boolean;
  bisects: boolean;
  /** How often a batch is tried again; unlimited when negative. */
  maxRetries: number;
  /** Records older than this are given up; never when negative. */
  maxAgeMs: number;
  /** The wait before the first retry; it doubles each time. */
  retryDelayMs: number;
  invoke: (records: StreamRecord[]) => Promise<Outcome>;
  /** Told as records succeed or are given up, in order. */
  onDone: (records: StreamRecord[]) => void;
  onAbandoned: (abandoned: Abandoned) => void;
  signal: AbortSignal;
};

const maxRetryDelayMs = 30_000;

/** Resolves when every record is done, or when the signal aborts. */
export async function deliver(
  batch: StreamRecord[],
  options: DeliveryOptions,
  retries = 0,
): Promise<void> {
  const { signal, bisects, maxRetries } = options;
  const fresh = abandonOld(batch, options, retries);
  if (fresh.length === 0 || signal.aborted) return;
  const outcome = await options.invoke(fresh);
  if (signal.aborted) return;
  const failed = failedRecords(outcome, fresh.map(sequenceNumberOf), options.reportsFailures);
  const firstFailed = fresh.findIndex((record) => failed.has(sequenceNumberOf(record)));
  const succeeded = firstFailed < 0 ? fresh : fresh.slice(0, firstFailed);
  options.onDone(succeeded);
  const rest = fresh.slice(succeeded.length);
  if (rest.length === 0) return;

  // The records behind a success start anew: it was the first of them that failed.
  const spent = succeeded.length > 0 ? 0 : retries;
  if (bisects && !outcome.ok && rest.length > 1) {
    // Splitting is not counted as a retry.
    const middle = Math.ceil(rest.length / 2);
    await deliver(rest.slice(0, middle), options, spent);
    await deliver(rest.slice(middle), options, spent);
    return;
  }
  if (maxRetries >= 0 && spent >= maxRetries) {
    giveUp({ condition: 'RetryAttemptsExhausted', records: rest, invokeCount: spent + 1 }, options);
    return;
  }
  const waitMs = Math.min(options.retryDelayMs * 2 ** spent, maxRetryDelayMs);
  await delay(waitMs, undefined, { signal }).catch(() => {});
  await deliver(rest, options, spent + 1);
}

function giveUp(abandoned: Abandoned, options: DeliveryOptions): void {
  options.onAbandoned(abandoned);
  options.onDone(abandoned.records);
}

/** Gives up what is too old and returns the rest. */
function abandonOld(batch: StreamRecord[], options: DeliveryOptions, invokeCount: number) {
  const { maxAgeMs } = options;
  const isOld = (record: StreamRecord) =>
    maxAgeMs >= 0 && Date.now() - createdAtMsOf(record) > maxAgeMs;
  const records = batch.filter(isOld);
  if (records.length > 0) giveUp({ condition: 'RecordAgeExceeded', records, invokeCount }, options);
  return batch.filter((record) => !isOld(record));
}
