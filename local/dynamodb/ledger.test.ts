// The ledger against DynamoDB's documented arithmetic, seen through a client.
import { randomUUID } from 'node:crypto';
import {
  BatchGetCommand,
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import fc from 'fast-check';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { itemBytes } from './item-size.ts';
import type { JsonObject } from './json.ts';
import { startTestDynamoDb, type TestDynamoDb, testTable } from './testing.ts';

const TableName = testTable.tableName;
type Client = ReturnType<TestDynamoDb['client']>;
let running: TestDynamoDb;
let client: Client;

beforeAll(async () => {
  running = await startTestDynamoDb();
  client = running.client();
});
afterAll(() => running.close());

/** An item of exactly so many bytes as DynamoDB counts: `pk`+1, `sk`+1, `v`+rest. */
function itemOf(bytes: number, sk = 'x') {
  return { pk: 'p', sk, v: 'v'.repeat(bytes - 7) };
}
const put = (bytes: number, sk = 'x') =>
  client.send(new PutCommand({ TableName, Item: itemOf(bytes, sk) }));

beforeEach(async () => {
  await put(3_000);
  await put(5_000, 'y');
  await client.send(new DeleteCommand({ TableName, Key: { pk: 'p', sk: 'none' } }));
});

const key = { pk: 'p', sk: 'x' };
const none = { pk: 'p', sk: 'none' };
const isAbsent = 'attribute_not_exists(pk)';

const costs: [string, { reads?: number; writes?: number }, () => Promise<unknown>][] = [
  ['a put of 1,024 B over 3,000 B', { writes: 3 }, () => put(1_024)],
  ['a put of 1,025 B', { writes: 2 }, () => put(1_025, 'none')],
  [
    'deleting what is not there',
    { writes: 1 },
    () => client.send(new DeleteCommand({ TableName, Key: none })),
  ],
  [
    'a consistent read of 5,000 B',
    { reads: 2 },
    () =>
      client.send(new GetCommand({ TableName, Key: { pk: 'p', sk: 'y' }, ConsistentRead: true })),
  ],
  [
    'an eventual read of nothing',
    { reads: 0.5 },
    () => client.send(new GetCommand({ TableName, Key: none })),
  ],
  [
    'a query over 8,000 B, rounded once',
    { reads: 2 },
    () =>
      client.send(
        new QueryCommand({
          TableName,
          ConsistentRead: true,
          KeyConditionExpression: 'pk = :p',
          ExpressionAttributeValues: { ':p': 'p' },
        }),
      ),
  ],
  [
    'a batch read of 3,000 and 5,000 B',
    { reads: 3 },
    () =>
      client.send(
        new BatchGetCommand({
          RequestItems: { hub: { Keys: [key, { pk: 'p', sk: 'y' }], ConsistentRead: true } },
        }),
      ),
  ],
  [
    'a batch write of 1 and 2 KB',
    { writes: 3 },
    () =>
      client.send(
        new BatchWriteCommand({
          RequestItems: {
            hub: [1_000, 2_000].map((bytes) => ({
              PutRequest: { Item: itemOf(bytes, `batch${bytes}`) },
            })),
          },
        }),
      ),
  ],
  [
    'a transaction: put of 1,025 B and a check of 3,000 B',
    { writes: 2 * 2 + 2 * 3 },
    () =>
      client.send(
        new TransactWriteCommand({
          TransactItems: [
            { Put: { TableName, Item: itemOf(1_025, 'none') } },
            {
              ConditionCheck: { TableName, Key: key, ConditionExpression: 'attribute_exists(pk)' },
            },
          ],
        }),
      ),
  ],
  [
    'a transactional read of 5,000 B',
    { reads: 4 },
    () =>
      client.send(
        new TransactGetCommand({
          TransactItems: [{ Get: { TableName, Key: { pk: 'p', sk: 'y' } } }],
        }),
      ),
  ],
];

test.each(costs)('%s costs %j', async (_, cost, work) => {
  const measured = await running.db.ledger.measure(work);
  expect(measured).toMatchObject({ reads: 0, writes: 0, ...cost });
  expect(measured.result).not.toHaveProperty('ConsumedCapacity');
});

const failures: [string, number, string, () => Promise<unknown>][] = [
  [
    'a put of 500 B that meets 3,000 B',
    3,
    'ConditionalCheckFailedException',
    () =>
      client.send(new PutCommand({ TableName, Item: itemOf(500), ConditionExpression: isAbsent })),
  ],
  [
    'a put of 4,000 B that meets 3,000 B',
    4,
    'ConditionalCheckFailedException',
    () =>
      client.send(
        new PutCommand({ TableName, Item: itemOf(4_000), ConditionExpression: isAbsent }),
      ),
  ],
  [
    'an update of what is not there',
    1,
    'ConditionalCheckFailedException',
    () =>
      client.send(
        new UpdateCommand({
          TableName,
          Key: none,
          UpdateExpression: 'SET n = :n',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':n': 1 },
        }),
      ),
  ],
  [
    'a transaction: put of 1,500 B and a failed check of 3,000 B',
    2 * 2 + 2 * 3,
    'TransactionCanceledException',
    () =>
      client.send(
        new TransactWriteCommand({
          TransactItems: [
            { Put: { TableName, Item: itemOf(1_500, 'none') } },
            { ConditionCheck: { TableName, Key: key, ConditionExpression: isAbsent } },
          ],
        }),
      ),
  ],
];

test.each(failures)('failed: %s still costs %d', async (_, writes, error, work) => {
  const measured = await running.db.ledger.measure(() => work().catch((thrown) => thrown));
  expect(measured.result).toMatchObject({ name: error });
  // The item was asked for to measure it; the client did not ask.
  expect(JSON.stringify(measured.result)).not.toContain('"Item"');
  expect(measured.calls).toMatchObject([{ reads: 0, writes, error }]);
});

test('a client that asks gets what it asked for', async () => {
  const { ConsumedCapacity } = await client.send(
    new PutCommand({ TableName, Item: key, ReturnConsumedCapacity: 'INDEXES' }),
  );
  expect(ConsumedCapacity).toMatchObject({ TableName, Table: { CapacityUnits: 3 } });
});

test('a repeated transaction is charged as reads', async () => {
  const transaction = new TransactWriteCommand({
    ClientRequestToken: 'token',
    TransactItems: [{ Put: { TableName, Item: itemOf(500, 'none') } }],
  });
  await client.send(transaction);
  const repeat = await running.db.ledger.measure(() => client.send(transaction));
  expect(repeat).toMatchObject({ reads: 2, writes: 0 });
});

test('sums per principal and operation', async () => {
  const other = running.client('summing');
  await other.send(new PutCommand({ TableName, Item: key }));
  await other.send(new PutCommand({ TableName, Item: key }));
  await other.send(new GetCommand({ TableName, Key: key }));
  const rows = running.db.ledger.rows().filter(({ principal }) => principal === 'summing');
  expect(rows).toEqual([
    { principal: 'summing', operation: 'PutItem', reads: 0, writes: 4, calls: 2 },
    { principal: 'summing', operation: 'GetItem', reads: 0.5, writes: 0, calls: 1 },
  ]);
  const { calls } = running.db.ledger.total();
  expect(calls).toBe(running.db.ledger.rows().reduce((sum, row) => sum + row.calls, 0));
});

test('units stand under the partition they went to', async () => {
  const Items = ['hot', 'cold'].map((pk) => ({ pk, sk: 's' }));
  const [hot, cold] = Items;
  const puts = Array.from({ length: 400 }, () => new PutCommand({ TableName, Item: hot }));
  await Promise.all(puts.map((put) => client.send(put)));
  await client.send(
    new TransactWriteCommand({
      TransactItems: [
        { Put: { TableName, Item: hot } },
        { Put: { TableName, Item: { ...cold, v: 'v'.repeat(2_000) } } },
      ],
    }),
  );
  const [first] = running.db.hotPartitions.hottest(1);
  expect(first).toMatchObject({ tableName: 'hub', partition: 'hot', reads: 0, writes: 402 });
  expect(first?.peakWrites).toBeGreaterThan(10);
  const second = running.db.hotPartitions.hottest(10).find(({ partition }) => partition === 'cold');
  expect(second?.writes).toBe(4);
});

/** The item as its JSON goes over the wire. */
function onWire(item: Record<string, unknown>): JsonObject {
  const asBase64 = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  const parsed: JsonObject = JSON.parse(JSON.stringify(marshall(item), asBase64));
  return parsed;
}

test('the engine and our own measure agree on the size of any item', async () => {
  const scalar = fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 900 }),
    fc.tuple(fc.integer(), fc.nat(6)).map(([n, zeros]) => n * 10 ** zeros),
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ minLength: 1, maxLength: 900 }),
  );
  const attributes = fc.dictionary(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 10 }).map((name) => `a${name}`),
    fc.oneof(scalar, fc.array(scalar, { maxLength: 4 }), fc.dictionary(fc.string(), scalar)),
    { maxKeys: 5 },
  );
  await fc.assert(
    fc.asyncProperty(attributes, async (values) => {
      // Filled up to whole KBs, which is where one byte more costs one unit more.
      const item = { pk: 'size', ...values, pad: '' };
      const bytes = itemBytes(onWire({ ...item, sk: randomUUID() }));
      const units = Math.ceil(bytes / 1024);
      for (const more of [0, 1]) {
        const pad = 'p'.repeat(units * 1024 - bytes + more);
        const measured = await running.db.ledger.measure(() =>
          client.send(new PutCommand({ TableName, Item: { ...item, sk: randomUUID(), pad } })),
        );
        expect(measured.writes).toBe(units + more);
      }
    }),
    { numRuns: 50 },
  );
});
