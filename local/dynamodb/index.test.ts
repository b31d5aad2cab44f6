// The local DynamoDB as its users see it: its table, its data over a restart, expiry, ARNs.
import { DescribeTableCommand } from '@aws-sdk/client-dynamodb';
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { EngineError } from './engine-error.ts';
import { startTestDynamoDb, type TestDynamoDb, testTable } from './testing.ts';

const { tableName } = testTable;
const key = { pk: 'a', sk: 'b' };
let running: TestDynamoDb;

beforeAll(async () => {
  running = await startTestDynamoDb({ region: 'eu-west-1', account: '123456789012' });
});
afterAll(() => running.close());

test('an item expires with the next sweep after its time', async () => {
  const client = running.client();
  const [past, future] = [100, 2_000_000_000];
  for (const [sk, expiresAt] of [
    ['past', past],
    ['future', future],
  ] as const) {
    await client.send(
      new PutCommand({ TableName: tableName, Item: { pk: 'expiring', sk, expiresAt } }),
    );
  }
  expect(await running.db.sweepExpired()).toBe(1);
  const read = (sk: string) =>
    client.send(new GetCommand({ TableName: tableName, Key: { pk: 'expiring', sk } }));
  expect((await read('past')).Item).toBeUndefined();
  expect((await read('future')).Item).toBeDefined();
});

test('ARNs are those of the configured region and account', async () => {
  const arn = 'arn:aws:dynamodb:eu-west-1:123456789012:table/hub';
  const described = new DescribeTableCommand({ TableName: tableName });
  const { Table } = await running.client().send(described);
  expect(Table).toMatchObject({
    TableArn: arn,
    LatestStreamArn: running.db.arns.stream(tableName),
    TableStatus: 'ACTIVE',
  });
  expect(running.db.arns.stream(tableName).startsWith(`${arn}/stream/`)).toBe(true);
});

test('a stopped stack starts again with its data and its table', async () => {
  const first = await startTestDynamoDb();
  await first.client().send(new PutCommand({ TableName: tableName, Item: key }));
  await first.db.close();
  const second = await startTestDynamoDb({ folder: first.folder });
  const { Item } = await second.client().send(new GetCommand({ TableName: tableName, Key: key }));
  await second.close();
  expect(Item).toEqual(key);
});

test('any other engine is used where one is named, and outlives the stack', async () => {
  vi.stubEnv('AWS_ENDPOINT_URL_DYNAMODB', running.db.engineEndpoint);
  const second = await startTestDynamoDb().finally(() => vi.unstubAllEnvs());
  expect(second.db.engineEndpoint).toBe(running.db.engineEndpoint);
  const Item = { pk: 'written through', sk: 'the second' };
  await second.client().send(new PutCommand({ TableName: tableName, Item }));
  await second.close();
  const found = await running.client().send(new GetCommand({ TableName: tableName, Key: Item }));
  expect(found.Item).toEqual(Item);
});

test.each(['http://127.0.0.1:9', 'no address'])(
  'an engine that cannot be had at %j is one clear line',
  async (engineEndpoint) => {
    const start = startTestDynamoDb({ engineEndpoint });
    await expect(start).rejects.toThrow(EngineError);
    await expect(start).rejects.toThrow(/^[^\n]*AWS_ENDPOINT_URL_DYNAMODB[^\n]*$/);
  },
);

test('a port in use is one clear line, and leaves no engine behind', async () => {
  const port = Number(new URL(running.db.endpoint).port);
  await expect(startTestDynamoDb({ port })).rejects.toThrow(`Port ${port} is in use.`);
});
