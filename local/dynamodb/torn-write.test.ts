// A transaction applied in pieces: what readers see in between, and what holds nevertheless.
import {
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestDynamoDb, type TestDynamoDb, testTable } from './testing.ts';

const TableName = testTable.tableName;
let running: TestDynamoDb;
let client: ReturnType<TestDynamoDb['client']>;

beforeAll(async () => {
  running = await startTestDynamoDb();
  client = running.client();
  running.db.faults.add({ fault: 'torn-transaction', maxPauseMs: 40 });
});
afterAll(() => running.close());

const keys = ['1', '2', '3', '4'];
const puts = (pk: string, turn: number) =>
  keys.map((sk) => ({ Put: { TableName, Item: { pk, sk, turn } } }));

async function read(pk: string): Promise<unknown[]> {
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName,
      ConsistentRead: true,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
    }),
  );
  return Items;
}

/** What a reader without pause sees until the work is done. */
async function watch(pk: string, work: Promise<unknown>): Promise<unknown[][]> {
  const seen: unknown[][] = [];
  let isDone = false;
  const done = work.finally(() => {
    isDone = true;
  });
  while (!isDone) seen.push(await read(pk));
  await done;
  return seen;
}

test('a query sees some items and not yet others, in any order, and all in the end', async () => {
  const firstSeen = new Set<unknown>();
  for (let round = 0; round < 8; round += 1) {
    const pk = `torn ${round}`;
    const TransactItems = puts(pk, 1);
    const seen = await watch(pk, client.send(new TransactWriteCommand({ TransactItems })));
    const torn = seen.filter((items) => items.length > 0 && items.length < keys.length);
    expect(torn.length).toBeGreaterThan(0);
    firstSeen.add(Object(torn[0]?.[0]).sk);
    expect(await read(pk)).toHaveLength(keys.length);
  }
  expect(firstSeen.size).toBeGreaterThan(1);
});

test('conditions are decided before anything is applied', async () => {
  const TransactItems = [
    ...puts('refused', 1),
    {
      ConditionCheck: {
        TableName,
        Key: { pk: 'refused', sk: 'none' },
        ConditionExpression: 'attribute_exists(pk)',
      },
    },
  ];
  const work = client.send(new TransactWriteCommand({ TransactItems })).catch(() => {});
  const seen = await watch('refused', work);
  expect(seen.flat()).toEqual([]);
  expect(await read('refused')).toEqual([]);
});

test('no other write comes between the pieces', async () => {
  const TransactItems = puts('locked', 1);
  let isDone = false;
  const work = client.send(new TransactWriteCommand({ TransactItems })).finally(() => {
    isDone = true;
  });
  const refusals = new Set<string>();
  const intrude = new UpdateCommand({
    TableName,
    Key: { pk: 'locked', sk: '1' },
    UpdateExpression: 'SET intruder = :yes',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':yes': true },
  });
  while (!isDone) {
    const refusal = await client.send(intrude).then(
      () => undefined,
      (error: Error) => error.name,
    );
    // Its own item is there: then so are all the others, or the intruder had to wait.
    if (refusal === undefined) expect(await read('locked')).toHaveLength(keys.length);
    else refusals.add(refusal);
  }
  await work;
  expect(refusals).toContain('TransactionConflictException');
});

test('a repeat with the same token changes nothing and succeeds', async () => {
  const command = new TransactWriteCommand({
    ClientRequestToken: 'torn-token',
    TransactItems: [
      {
        Put: {
          TableName,
          Item: { pk: 'repeated', sk: '1' },
          ConditionExpression: 'attribute_not_exists(pk)',
        },
      },
      ...puts('repeated', 1).slice(1),
    ],
  });
  await client.send(command);
  await client.send(new PutCommand({ TableName, Item: { pk: 'repeated', sk: '2', turn: 2 } }));
  await client.send(command);
  expect(await read('repeated')).toMatchObject([
    { sk: '1' },
    { turn: 2 },
    { turn: 1 },
    { turn: 1 },
  ]);
});

test('it costs what the whole transaction costs', async () => {
  const TransactItems = puts('costs', 1);
  const measured = await running.db.ledger.measure(() =>
    client.send(new TransactWriteCommand({ TransactItems })),
  );
  expect(measured).toMatchObject({ writes: 8, reads: 0 });
});

test('the pauses between the items are as long as the switch says', async () => {
  running.db.faults.clear();
  running.db.faults.add({ fault: 'torn-transaction', maxPauseMs: 400 });
  const startedAt = performance.now();
  await client.send(new TransactWriteCommand({ TransactItems: puts('slow', 1) }));
  expect(performance.now() - startedAt).toBeGreaterThan(50);
});
