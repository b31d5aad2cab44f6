import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../fixtures/resources.ts';
import { failed, type Outcome } from '../lambda/outcome.ts';
import { openCheckpoint } from './checkpoint.ts';
import { type StreamFaults, type StreamMapping, startStreamConsumer } from './consumer.ts';
import type { StreamRecord } from './record.ts';

function recordOf(sequenceNumber: number, sk = `LOG#${sequenceNumber}`): StreamRecord {
  return {
    eventID: String(sequenceNumber),
    eventName: 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'eu-central-1',
    eventSourceARN: 'arn:stream',
    dynamodb: {
      Keys: { pk: { S: 'ROOM#1' }, sk: { S: sk } },
      SequenceNumber: String(sequenceNumber),
      StreamViewType: 'KEYS_ONLY',
      ApproximateCreationDateTime: Math.floor(Date.now() / 1_000) - 5,
    },
  };
}

/** A stream that a test writes to, read as the table's is. */
function streamOf(records: StreamRecord[]) {
  async function* read(from: string, signal: AbortSignal) {
    let next = Number.isNaN(Number(from)) ? 0 : Number(from);
    while (!signal.aborted) {
      const batch = records.slice(next, next + 100);
      if (batch.length > 0) yield batch;
      next += batch.length;
      await delay(5, undefined, { signal }).catch(() => {});
    }
  }
  return { records, read };
}

const success: Outcome = { ok: true, payload: 'null' };
const noFaults: StreamFaults = {
  repeats: false,
  maxBatchSize: Number.POSITIVE_INFINITY,
  delayMs: 0,
};
const plainMapping: StreamMapping = {
  batchSize: 10,
  windowMs: 0,
  parallelization: 1,
  startingPosition: 'TRIM_HORIZON',
  passes: () => true,
  reportsFailures: false,
  bisects: false,
  maxRetries: 0,
  maxAgeMs: -1,
};

type Setup = {
  records: StreamRecord[];
  mapping?: Partial<StreamMapping>;
  faults?: Partial<StreamFaults>;
  folder?: string;
  answer?: (batch: string[]) => Outcome | Promise<Outcome>;
};

function follow({ records, mapping, faults, folder = temporaryFolder(), answer }: Setup) {
  const batches: string[][] = [];
  const abandoned: string[][] = [];
  const consumer = startStreamConsumer({
    mapping: { ...plainMapping, ...mapping },
    read: streamOf(records).read,
    checkpoint: openCheckpoint(folder, 'Mapping'),
    faults: { ...noFaults, ...faults },
    retryDelayMs: 1,
    invoke: async (json) => {
      const event: { Records: StreamRecord[] } = JSON.parse(json);
      const batch = event.Records.map((record) => record.dynamodb.SequenceNumber);
      batches.push(batch);
      return (await answer?.(batch)) ?? success;
    },
    onAbandoned: (it) => abandoned.push(it.records.map((record) => record.dynamodb.SequenceNumber)),
    onFailure: (error) => {
      throw error;
    },
  });
  onTestFinished(consumer.close);
  const checkpoint = () => openCheckpoint(folder, 'Mapping').after;
  return { consumer, batches, abandoned, folder, checkpoint };
}

const numbered = (count: number) => Array.from({ length: count }, (_, n) => recordOf(n + 1));

describe('a stream', () => {
  test('is delivered in order, in batches of the size the mapping has', async () => {
    const records = numbered(5);
    const { batches, checkpoint } = follow({ records, mapping: { batchSize: 2 } });
    await expect.poll(checkpoint).toBe('5');
    expect(batches).toEqual([['1', '2'], ['3', '4'], ['5']]);
    records.push(recordOf(6));
    await expect.poll(() => batches.at(-1)).toEqual(['6']);
  });

  test('is delivered without the records that the filter holds back, which count as done', async () => {
    const passes = ({ dynamodb }: object & { dynamodb?: unknown }) =>
      JSON.stringify(dynamodb).includes('LOG#2');
    const { batches, checkpoint } = follow({ records: numbered(3), mapping: { passes } });
    await expect.poll(checkpoint).toBe('3');
    expect(batches).toEqual([['2']]);
  });

  test('waits for a full batch as long as its window', async () => {
    const records = numbered(1);
    const { batches } = follow({ records, mapping: { windowMs: 150 } });
    await delay(30);
    records.push(recordOf(2));
    await expect.poll(() => batches).toEqual([['1', '2']]);
  });

  test('goes on after its checkpoint, and repeats what was not done', async () => {
    const records = numbered(2);
    const stuck = Promise.withResolvers<Outcome>();
    const first = follow({
      records,
      mapping: { batchSize: 1 },
      answer: ([id]) => (id === '2' ? stuck.promise : success),
    });
    await expect.poll(() => first.batches.length).toBe(2);
    const closed = first.consumer.close();
    stuck.resolve(success);
    await closed;
    records.push(recordOf(3));
    const second = follow({ records, folder: first.folder });
    await expect.poll(() => second.batches.flat()).toEqual(['2', '3']);
  });

  test('moves its checkpoint only over records that are done, whatever their order', async () => {
    const slow = Promise.withResolvers<Outcome>();
    const { batches, checkpoint } = follow({
      records: numbered(8),
      mapping: { batchSize: 1, parallelization: 4 },
      answer: ([id]) => (id === '1' ? slow.promise : success),
    });
    // Some others share the way of the first and wait behind it.
    await expect.poll(() => batches.length).toBeGreaterThan(4);
    expect(checkpoint()).toBeUndefined();
    slow.resolve(success);
    await expect.poll(checkpoint).toBe('8');
  });

  test('keeps the order of one item however many batches run at once', async () => {
    const records = Array.from({ length: 40 }, (_, n) => recordOf(n + 1, `LINK#${n % 4}`));
    const { batches, checkpoint } = follow({
      records,
      mapping: { batchSize: 2, parallelization: 3 },
      answer: async () => {
        await delay(1);
        return success;
      },
    });
    await expect.poll(checkpoint).toBe('40');
    const ofItem = (item: number) => batches.flat().filter((id) => (Number(id) - 1) % 4 === item);
    for (const item of [0, 1, 2, 3]) {
      expect(ofItem(item)).toEqual(ofItem(item).toSorted((a, b) => Number(a) - Number(b)));
    }
  });

  test('goes on behind records that are given up', async () => {
    const { batches, abandoned, checkpoint } = follow({
      records: numbered(2),
      mapping: { batchSize: 1 },
      answer: ([id]) => (id === '1' ? failed('Error', 'no') : success),
    });
    await expect.poll(checkpoint).toBe('2');
    expect([batches, abandoned]).toEqual([[['1'], ['2']], [['1']]]);
  });

  test('tells how old its oldest unfinished record is', async () => {
    const slow = Promise.withResolvers<Outcome>();
    const { consumer, batches, checkpoint } = follow({
      records: numbered(1),
      answer: () => slow.promise,
    });
    await expect.poll(() => batches.length).toBe(1);
    expect(consumer.iteratorAgeMs()).toBeGreaterThanOrEqual(5_000);
    slow.resolve(success);
    await expect.poll(checkpoint).toBe('1');
    expect(consumer.iteratorAgeMs()).toBe(0);
  });

  test('repeats, splits and delays its batches by switch', async () => {
    const startedAt = performance.now();
    const { batches } = follow({
      records: numbered(2),
      faults: { repeats: true, maxBatchSize: 1, delayMs: 40 },
    });
    await expect.poll(() => batches).toEqual([['1'], ['1'], ['2'], ['2']]);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(80);
  });
});

test('a damaged checkpoint is said in one line', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'Mapping.json'), '{"after":');
  expect(() => openCheckpoint(folder, 'Mapping')).toThrow(/^The state in .* is damaged/);
});
