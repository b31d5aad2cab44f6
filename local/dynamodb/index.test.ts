// The local DynamoDB as its users see it: its table, what a call costs, expiry.
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDynamoDb, type TestDynamoDb } from './testing.ts';

const tableName = 'hub';
const table = {
  tableName,
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLiveAttribute: 'expiresAt',
  streamViewType: 'KEYS_ONLY',
} as const;
const key = { pk: 'a', sk: 'b' };
let running: TestDynamoDb;

beforeAll(async () => {
  running = await startTestDynamoDb({ tables: [table] });
});
afterAll(() => running.close());

test('an item written is read, and both calls stand in the ledger', async () => {
  const client = running.client('writer');
  const measured = await running.db.ledger.measure(async () => {
    await client.send(new PutCommand({ TableName: tableName, Item: { ...key, n: 1 } }));
    return client.send(new GetCommand({ TableName: tableName, Key: key, ConsistentRead: true }));
  });
  expect(measured.result.Item).toEqual({ ...key, n: 1 });
  expect(measured.result.ConsumedCapacity).toBeUndefined();
  expect(measured.calls).toEqual([
    { principal: 'writer', operation: 'PutItem', reads: 0, writes: 1 },
    { principal: 'writer', operation: 'GetItem', reads: 1, writes: 0 },
  ]);
});

test('an item whose time has passed goes with the next sweep', async () => {
  const client = running.client();
  const expired = { pk: 'expired', sk: 'x', expiresAt: 100 };
  await client.send(new PutCommand({ TableName: tableName, Item: expired }));
  expect(await running.db.sweepExpired()).toBe(1);
  const { Item } = await client.send(
    new GetCommand({ TableName: tableName, Key: { pk: 'expired', sk: 'x' } }),
  );
  expect(Item).toBeUndefined();
});
