// The stream as a function behind it would see it: order, view, checkpoints, expiry.
import { DeleteCommand, PutCommand, TransactWriteCommand } from '@aws-sdk/lib-dynamodb';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { LocalDynamoDb, ReadStreamOptions, StreamRecord } from './index.ts';
import { startTestDynamoDb, type TestDynamoDb, testTable } from './testing.ts';

const TableName = testTable.tableName;
let running: TestDynamoDb;
let client: ReturnType<TestDynamoDb['client']>;

beforeEach(async () => {
  running = await startTestDynamoDb();
  client = running.client();
});
afterEach(() => running.close());

const put = (sk: string, more: object = {}, by = client) =>
  by.send(new PutCommand({ TableName, Item: { pk: 'p', sk, ...more } }));

/** Reads on until so many records have come. */
async function take(
  count: number,
  options: ReadStreamOptions,
  db: LocalDynamoDb = running.db,
): Promise<StreamRecord[]> {
  const records: StreamRecord[] = [];
  const signal = AbortSignal.timeout(10_000);
  for await (const batch of db.readStream(TableName, { signal, pollMs: 5, ...options })) {
    expect(batch.length).toBeLessThanOrEqual(100);
    records.push(...batch);
    if (records.length >= count) break;
  }
  return records;
}
const sortKeys = (records: readonly StreamRecord[]) =>
  records.map(({ dynamodb }) => Object(dynamodb.Keys['sk']).S);

test('records come in the order of the writes, each with its kind and keys only', async () => {
  await put('a');
  await put('a', { n: 1 });
  await client.send(new DeleteCommand({ TableName, Key: { pk: 'p', sk: 'a' } }));
  const records = await take(3, { from: 'TRIM_HORIZON' });
  expect(records.map(({ eventName }) => eventName)).toEqual(['INSERT', 'MODIFY', 'REMOVE']);
  const [first] = records;
  expect(first).toEqual({
    eventID: expect.stringMatching(/^[0-9a-f]{32}$/),
    eventName: 'INSERT',
    eventVersion: '1.1',
    eventSource: 'aws:dynamodb',
    awsRegion: 'eu-central-1',
    eventSourceARN: running.db.arns.stream(TableName),
    dynamodb: {
      Keys: { pk: { S: 'p' }, sk: { S: 'a' } },
      SequenceNumber: expect.stringMatching(/^\d+$/),
      StreamViewType: 'KEYS_ONLY',
      ApproximateCreationDateTime: expect.any(Number),
    },
  });
  const age = Date.now() / 1000 - Number(first?.dynamodb.ApproximateCreationDateTime);
  expect(Math.abs(age)).toBeLessThan(60);
  expect(new Set(records.map(({ eventID }) => eventID)).size).toBe(3);
});

test.each([
  ['NEW_IMAGE', { NewImage: { n: { N: '2' } } }],
  ['OLD_IMAGE', { OldImage: { n: { N: '1' } } }],
  ['NEW_AND_OLD_IMAGES', { NewImage: { n: { N: '2' } }, OldImage: { n: { N: '1' } } }],
] as const)('the view %s', async (streamViewType, images) => {
  const other = await startTestDynamoDb({ tables: [{ ...testTable, streamViewType }] });
  await put('a', { n: 1 }, other.client());
  await put('a', { n: 2 }, other.client());
  const [, record] = await take(2, { from: 'TRIM_HORIZON' }, other.db);
  await other.close();
  expect(record?.dynamodb).toMatchObject({ StreamViewType: streamViewType, ...images });
  const shown = Object.keys(record?.dynamodb ?? {}).filter((name) => name.endsWith('Image'));
  expect(shown.sort()).toEqual(Object.keys(images).sort());
});

test('a write that changes nothing leaves no record', async () => {
  await put('a', { n: 1, list: ['x', { y: 1 }] });
  await put('a', { list: ['x', { y: 1 }], n: 1 });
  await put('b');
  const records = await take(2, { from: 'TRIM_HORIZON' });
  expect(sortKeys(records)).toEqual(['a', 'b']);
});

test('all of a long stream, in order, in batches of at most 100', async () => {
  const keys = Array.from({ length: 350 }, (_, index) => String(index).padStart(3, '0'));
  for (let from = 0; from < keys.length; from += 50) {
    const TransactItems = keys
      .slice(from, from + 50)
      .map((sk) => ({ Put: { TableName, Item: { pk: 'p', sk } } }));
    await client.send(new TransactWriteCommand({ TransactItems }));
  }
  expect(sortKeys(await take(keys.length, { from: 'TRIM_HORIZON' }))).toEqual(keys);
});

test('a reader goes on after its checkpoint, also over a restart', async () => {
  await put('a');
  await put('b');
  const [first] = await take(2, { from: 'TRIM_HORIZON' });
  const from = first?.dynamodb.SequenceNumber ?? '';
  expect(sortKeys(await take(1, { from }))).toEqual(['b']);
  await running.db.close();
  running = await startTestDynamoDb({ folder: running.folder });
  await put('c', {}, running.client());
  expect(sortKeys(await take(2, { from }))).toEqual(['b', 'c']);
});

test('LATEST shows only what is written after the reader came', async () => {
  await put('before');
  const stream = running.db.readStream(TableName, { from: 'LATEST', pollMs: 5 });
  await stream.positioned;
  await put('after');
  for await (const batch of stream) {
    expect(sortKeys(batch)).toEqual(['after']);
    break;
  }
});

test('a record of an expired item says who deleted it', async () => {
  await put('a', { expiresAt: 100 });
  await running.db.sweepExpired();
  const [, removed] = await take(2, { from: 'TRIM_HORIZON' });
  expect(removed).toMatchObject({
    eventName: 'REMOVE',
    userIdentity: { type: 'Service', principalId: 'dynamodb.amazonaws.com' },
  });
});

test.each(['its signal', 'the closing'] as const)(
  'a reader waits for what comes, and ends quietly by %s',
  async (end) => {
    const stop = new AbortController();
    const ends = { 'its signal': () => stop.abort(), 'the closing': () => running.db.close() };
    const seen: string[] = [];
    const came = Promise.withResolvers<void>();
    const options = { from: 'TRIM_HORIZON', signal: stop.signal, pollMs: 5 };
    async function read(): Promise<void> {
      for await (const batch of running.db.readStream(TableName, options)) {
        seen.push(...sortKeys(batch));
        came.resolve();
      }
    }
    const reading = read();
    await put('late');
    await came.promise;
    await ends[end]();
    await reading;
    expect(seen).toEqual(['late']);
  },
);

test('a table without a stream says so', async () => {
  const { streamViewType: _, ...plain } = testTable;
  const other = await startTestDynamoDb({ tables: [plain] });
  expect(() => other.db.readStream(TableName, { from: 'LATEST' })).toThrow('has no stream');
  await other.close();
});
