// Every fault by switch: what the client meets, and whether the write happened.
import {
  DeleteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import type { FaultRule } from './index.ts';
import { startTestDynamoDb, type TestDynamoDb, testTable } from './testing.ts';

const TableName = testTable.tableName;
const item = { pk: 'ROOM#1', sk: 'META' };
let running: TestDynamoDb;
let client: ReturnType<TestDynamoDb['client']>;

beforeAll(async () => {
  running = await startTestDynamoDb();
  client = running.client();
});
beforeEach(() => client.send(new DeleteCommand({ TableName, Key: item })));
afterEach(() => running.db.faults.clear());
afterAll(() => running.close());

const put = (Item: Record<string, unknown> = item, by = client) =>
  by.send(new PutCommand({ TableName, Item }));
const isThere = async (Key = item) => {
  const { Item } = await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }));
  return Item !== undefined;
};
const nameOf = (error: unknown): string => Object(error).name;
const succeeds = async (work: Promise<unknown>) =>
  work.then(
    () => true,
    () => false,
  );

test.each<[FaultRule['fault'], string, boolean]>([
  ['throttled', 'ThrottlingException', false],
  ['throughput-exceeded', 'ProvisionedThroughputExceededException', false],
  ['internal-error', 'InternalServerError', false],
  ['connection-refused', 'TimeoutError', false],
  ['answer-cut', 'TimeoutError', true],
  ['answer-internal-error', 'InternalServerError', true],
])('%s: the client sees %s; applied: %s', async (fault, name, isApplied) => {
  running.db.faults.add({ fault, operation: 'PutItem' });
  expect(await put().catch(nameOf)).toBe(name);
  expect(await isThere()).toBe(isApplied);
});

test('a throttled transaction is cancelled with the reason at its member', async () => {
  running.db.faults.add({ fault: 'transaction-throttled', sortPrefix: 'META' });
  const other = { ...item, sk: 'OTHER' };
  const TransactItems = [other, item].map((Item) => ({ Put: { TableName, Item } }));
  const error = await client
    .send(new TransactWriteCommand({ TransactItems }))
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({
    name: 'TransactionCanceledException',
    CancellationReasons: [{ Code: 'None' }, { Code: 'ThrottlingError' }],
  });
  expect(await isThere(other)).toBe(false);
});

test('only the next so many matching calls', async () => {
  running.db.faults.add({ fault: 'throttled', operation: 'PutItem', next: 2 });
  const outcomes = [];
  for (let round = 0; round < 3; round += 1) outcomes.push(await succeeds(put()));
  expect(outcomes).toEqual([false, false, true]);
});

test('only calls that fit operation, principal and key prefixes', async () => {
  const fault = 'throttled';
  running.db.faults.add({
    fault,
    partitionPrefix: 'ROOM#',
    sortPrefix: 'LOG#',
    principal: 'sender',
  });
  const sender = running.client('sender');
  const log = { pk: 'ROOM#1', sk: 'LOG#1' };
  expect(await succeeds(put(log, sender))).toBe(false);
  expect(await succeeds(put(log))).toBe(true);
  expect(await succeeds(put(item, sender))).toBe(true);
  expect(await succeeds(put({ pk: 'MESSAGE#1', sk: 'LOG#1' }, sender))).toBe(true);
  expect(await succeeds(sender.send(new GetCommand({ TableName, Key: log })))).toBe(false);
});

test('a query is matched by the partition it asks for', async () => {
  running.db.faults.add({ fault: 'throttled', operation: 'Query', partitionPrefix: 'ROOM#' });
  const query = (partition: string) =>
    client.send(
      new QueryCommand({
        TableName,
        KeyConditionExpression: 'begins_with(sk, :log) AND #partition = :partition',
        ExpressionAttributeNames: { '#partition': 'pk' },
        ExpressionAttributeValues: { ':partition': partition, ':log': 'LOG#' },
      }),
    );
  expect(await succeeds(query('ROOM#1'))).toBe(false);
  expect(await succeeds(query('MESSAGE#1'))).toBe(true);
});

test('a share of the calls, the same ones for the same seed', async () => {
  async function pattern(): Promise<boolean[]> {
    const seeded = await startTestDynamoDb({ seed: 7 });
    try {
      seeded.db.faults.add({ fault: 'throttled', probability: 0.3 });
      const [outcomes, sender] = [[] as boolean[], seeded.client()];
      for (let n = 0; n < 100; n += 1) outcomes.push(await succeeds(put(item, sender)));
      return outcomes;
    } finally {
      await seeded.close();
    }
  }
  const first = await pattern();
  const faults = first.filter((isSuccess) => !isSuccess).length;
  expect(faults).toBeGreaterThan(10);
  expect(faults).toBeLessThan(50);
  expect(await pattern()).toEqual(first);
});

test('a switch is switched off by what it returned', async () => {
  const switchOff = running.db.faults.add({ fault: 'throttled' });
  expect(await succeeds(put())).toBe(false);
  switchOff();
  expect(await succeeds(put())).toBe(true);
});

test('a lost answer stands in the ledger: the write was made', async () => {
  running.db.faults.add({ fault: 'answer-cut', next: 1 });
  const measured = await running.db.ledger.measure(() => succeeds(put()));
  expect(measured).toMatchObject({ result: false, writes: 1 });
});

test('a client that repeats after a lost answer has its transaction applied once', async () => {
  running.db.faults.add({ fault: 'answer-cut', next: 1 });
  const patient = running.client('patient', 3);
  await patient.send(
    new TransactWriteCommand({
      TransactItems: [
        {
          Update: {
            TableName,
            Key: item,
            UpdateExpression: 'ADD n :one',
            ExpressionAttributeValues: { ':one': 1 },
          },
        },
      ],
    }),
  );
  const { Item } = await client.send(new GetCommand({ TableName, Key: item }));
  expect(Item).toMatchObject({ n: 1 });
});
