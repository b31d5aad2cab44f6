import { describe, expect, test } from 'vitest';
import { failed, type Outcome } from '../lambda/outcome.ts';
import { type Abandoned, type DeliveryOptions, deliver } from './delivery.ts';
import type { StreamRecord } from './record.ts';

/** Records with sequence numbers 1 to `count`, written now or some time ago. */
function recordsOf(count: number, ageMs = 0): StreamRecord[] {
  return Array.from({ length: count }, (_, index) => ({
    eventID: String(index),
    eventName: 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'eu-central-1',
    eventSourceARN: 'arn:stream',
    dynamodb: {
      Keys: { pk: { S: 'a' } },
      SequenceNumber: String(index + 1),
      StreamViewType: 'KEYS_ONLY',
      ApproximateCreationDateTime: (Date.now() - ageMs) / 1_000,
    },
  }));
}

const numbers = (records: StreamRecord[]) => records.map((it) => it.dynamodb.SequenceNumber).join();
const success: Outcome = { ok: true, payload: 'null' };
const failure = failed('Error', 'no');
const reporting = (...ids: string[]): Outcome => ({
  ok: true,
  payload: JSON.stringify({ batchItemFailures: ids.map((itemIdentifier) => ({ itemIdentifier })) }),
});

/** Delivers and returns the batches that were invoked, the records done, and those given up. */
async function run(
  records: StreamRecord[],
  answer: (batch: string, attempt: number) => Outcome,
  options: Partial<DeliveryOptions> = {},
) {
  const batches: string[] = [];
  const done: string[] = [];
  const abandoned: Abandoned[] = [];
  await deliver(records, {
    reportsFailures: true,
    bisects: false,
    maxRetries: 2,
    maxAgeMs: -1,
    retryDelayMs: 1,
    invoke: async (batch) => {
      batches.push(numbers(batch));
      return answer(numbers(batch), batches.length);
    },
    onDone: (those) => done.push(numbers(those)),
    onAbandoned: (it) => abandoned.push(it),
    signal: new AbortController().signal,
    ...options,
  });
  const given = abandoned.map(({ condition, records: those, invokeCount }) => ({
    condition,
    records: numbers(those),
    invokeCount,
  }));
  return { batches, done: done.filter((text) => text !== ''), given };
}

describe('a batch', () => {
  test('that succeeds is done', async () => {
    expect(await run(recordsOf(3), () => success)).toEqual({
      batches: ['1,2,3'],
      done: ['1,2,3'],
      given: [],
    });
  });

  test('that fails is tried again as a whole, so often and no more', async () => {
    expect(await run(recordsOf(2), (_, attempt) => (attempt < 3 ? failure : success))).toEqual({
      batches: ['1,2', '1,2', '1,2'],
      done: ['1,2'],
      given: [],
    });
    expect(await run(recordsOf(2), () => failure)).toEqual({
      batches: ['1,2', '1,2', '1,2'],
      done: ['1,2'],
      given: [{ condition: 'RetryAttemptsExhausted', records: '1,2', invokeCount: 3 }],
    });
  });

  test('is tried for ever where the template sets no limit', async () => {
    const answer = (_: string, attempt: number) => (attempt < 7 ? failure : success);
    const { batches, given } = await run(recordsOf(1), answer, { maxRetries: -1 });
    expect([batches.length, given]).toEqual([7, []]);
  });

  test('is tried again from its first failed record', async () => {
    const answer = (batch: string) => (batch === '1,2,3,4' ? reporting('3', '2') : success);
    expect(await run(recordsOf(4), answer)).toMatchObject({
      batches: ['1,2,3,4', '2,3,4'],
      done: ['1', '2,3,4'],
    });
  });

  test('fails as a whole when it names a record that it does not hold', async () => {
    const answer = (_: string, attempt: number) => (attempt === 1 ? reporting('9') : success);
    expect((await run(recordsOf(2), answer)).batches).toEqual(['1,2', '1,2']);
  });

  test('whose mapping does not report failures succeeds whatever it says', async () => {
    const { batches } = await run(recordsOf(2), () => reporting('1'), { reportsFailures: false });
    expect(batches).toEqual(['1,2']);
  });

  test('is halved until only the bad record is given up', async () => {
    const answer = (batch: string) => (batch.split(',').includes('3') ? failure : success);
    const options = { bisects: true, maxRetries: 1 };
    expect(await run(recordsOf(4), answer, options)).toEqual({
      batches: ['1,2,3,4', '1,2', '3,4', '3', '3', '4'],
      done: ['1,2', '3', '4'],
      given: [{ condition: 'RetryAttemptsExhausted', records: '3', invokeCount: 2 }],
    });
  });

  test('loses the records that are too old, without invoking', async () => {
    expect(await run(recordsOf(2, 10_000), () => success, { maxAgeMs: 5_000 })).toEqual({
      batches: [],
      done: ['1,2'],
      given: [{ condition: 'RecordAgeExceeded', records: '1,2', invokeCount: 0 }],
    });
  });

  test('is not done when the stack stops meanwhile', async () => {
    const stopping = new AbortController();
    const answer = () => {
      stopping.abort();
      return success;
    };
    const { done } = await run(recordsOf(2), answer, { signal: stopping.signal });
    expect(done).toEqual([]);
  });
});
