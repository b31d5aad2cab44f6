// Calls that meet at one item: who is refused, how, and what never gets lost by it.
import { EventEmitter, once } from 'node:events';
import {
  BatchWriteCommand,
  DeleteCommand,
  GetCommand,
  PutCommand,
  TransactGetCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import type { LockedShare } from './latency.ts';
import { startTestDynamoDb, type TestDynamoDb, testTable } from './testing.ts';

const TableName = testTable.tableName;
let running: TestDynamoDb;
let client: ReturnType<TestDynamoDb['client']>;

/** Emits the principal of each call when it has come in and is about to be worked on. */
const arrivals = new EventEmitter();

beforeAll(async () => {
  const authorize = (principal: string) => {
    arrivals.emit(principal);
    return true;
  };
  running = await startTestDynamoDb({ authorize });
  client = running.client();
});
afterEach(() => {
  running.db.latency.off();
  running.db.faults.clear();
});
afterAll(() => running.close());

const hot = { pk: 'hot', sk: 'counter' };
const cold = { pk: 'cold', sk: 'x' };

const count = (Key = hot) => ({
  Update: {
    TableName,
    Key,
    UpdateExpression: 'ADD n :one',
    ExpressionAttributeValues: { ':one': 1 },
  },
});
const put = (Item: Record<string, unknown>) => ({ Put: { TableName, Item } });
const transact = (...TransactItems: NonNullable<TransactWriteCommand['input']['TransactItems']>) =>
  client.send(new TransactWriteCommand({ TransactItems }));
const read = async (Key: Record<string, unknown>) =>
  (await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;

/** A call in flight: arrived, and far from done. Whatever follows is as fast as it can. */
async function inFlight<T>(
  send: (slow: typeof client) => Promise<T>,
  locked = { from: 0, to: 1 },
): Promise<{ answer: Promise<T> }> {
  running.db.latency.set({ scale: 20, locked });
  const arrived = once(arrivals, 'slow');
  const answer = send(running.client('slow'));
  await arrived;
  running.db.latency.off();
  return { answer };
}
const counting = (locked?: LockedShare) =>
  inFlight((slow) => slow.send(new TransactWriteCommand({ TransactItems: [count()] })), locked);
function codes(error: unknown): unknown {
  const { name, CancellationReasons: reasons } = Object(error);
  return [name, ...(reasons ?? []).map(({ Code }: { Code: string }) => Code)];
}

test.each([
  ['without', undefined],
  ['with', { scale: 0.2 }],
])('a hot item, %s latency: the counter ends at the number of successes', async (_, latency) => {
  const Key = { pk: 'hot', sk: `latency ${latency?.scale}` };
  if (latency !== undefined) running.db.latency.set(latency);
  const results = await Promise.allSettled(
    Array.from({ length: 200 }, (_, index) =>
      transact(count(Key), put({ pk: 'of-its-own', sk: String(index) })),
    ),
  );
  running.db.latency.off();
  const successes = results.filter(({ status }) => status === 'fulfilled').length;
  const refused = results.flatMap((result) =>
    result.status === 'rejected' ? [result.reason] : [],
  );
  expect(await read(Key)).toMatchObject({ n: successes });
  expect(successes).toBeGreaterThan(0);
  expect(refused.length).toBeGreaterThan(20);
  for (const error of refused) {
    expect(codes(error)).toEqual(['TransactionCanceledException', 'TransactionConflict', 'None']);
  }
});

test('a transaction is refused at the position that another one holds', async () => {
  const { answer } = await counting();
  const refused = await transact(put(cold), count()).catch(codes);
  expect(refused).toEqual(['TransactionCanceledException', 'None', 'TransactionConflict']);
  expect(await read(cold)).toBeUndefined();
  await answer;
  await transact(put(cold), count());
});

test('a transaction holds its items only between its shares', async () => {
  const before = (await read(hot))?.['n'] ?? 0;
  const late = await counting({ from: 0.6, to: 0.7 });
  await transact(count());
  await late.answer;
  expect(await read(hot)).toMatchObject({ n: before + 2 });

  const early = await counting({ from: 0, to: 0.1 });
  let isAnswered = false;
  const answered = early.answer.then(() => {
    isAnswered = true;
  });
  expect(await transact(count()).catch(codes)).toContain('TransactionConflict');
  await vi.waitFor(() => transact(count()), { timeout: 5_000, interval: 5 });
  expect(isAnswered).toBe(false);
  await answered;
  expect(await read(hot)).toMatchObject({ n: before + 4 });
});

test('a condition check holds its item like a write', async () => {
  const ConditionExpression = 'attribute_not_exists(pk)';
  const check = { TableName, Key: { pk: 'free', sk: 'x' }, ConditionExpression };
  const TransactItems = [{ ConditionCheck: check }, count()];
  const { answer } = await inFlight((slow) =>
    slow.send(new TransactWriteCommand({ TransactItems })),
  );
  const refused = await transact(put({ pk: 'free', sk: 'x' })).catch(codes);
  expect(refused).toEqual(['TransactionCanceledException', 'TransactionConflict']);
  await answer;
});

test('plain writes are refused while a transaction is in flight, reads are not', async () => {
  const before = await read(hot);
  const { answer } = await counting();
  const refusals = await Promise.all([
    client.send(new UpdateCommand(count().Update)).catch(codes),
    client.send(new PutCommand({ TableName, Item: hot })).catch(codes),
    client.send(new DeleteCommand({ TableName, Key: hot })).catch(codes),
  ]);
  const refused = ['TransactionConflictException'];
  expect(refusals).toEqual([refused, refused, refused]);
  expect(await read(hot)).toEqual(before);
  await answer;
  expect(await read(hot)).toMatchObject({ n: (before?.['n'] ?? 0) + 1 });
});

test('a transactional read is refused by a transaction and by a plain write', async () => {
  const get = () =>
    client.send(
      new TransactGetCommand({
        TransactItems: [cold, hot].map((Key) => ({ Get: { TableName, Key } })),
      }),
    );
  const refused = ['TransactionCanceledException', 'None', 'TransactionConflict'];
  const { answer } = await counting();
  expect(await get().catch(codes)).toEqual(refused);
  await answer;
  const write = await inFlight((slow) => slow.send(new UpdateCommand(count().Update)));
  expect(await get().catch(codes)).toEqual(refused);
  await write.answer;
  running.db.latency.off();
  expect((await get()).Responses).toHaveLength(2);
});

test('a batch write leaves held items unprocessed', async () => {
  const { answer } = await counting();
  const requests = [{ ...cold, batch: true }, hot].map((Item) => ({ PutRequest: { Item } }));
  const { UnprocessedItems } = await client.send(
    new BatchWriteCommand({ RequestItems: { [TableName]: requests } }),
  );
  expect(UnprocessedItems).toEqual({ [TableName]: [{ PutRequest: { Item: hot } }] });
  expect(await read(cold)).toMatchObject({ batch: true });
  await answer;
});

test('conditions are decided at arrival, and a failed one locks nothing', async () => {
  await client.send(new PutCommand({ TableName, Item: { ...cold, version: 1 } }));
  await client.send(new PutCommand({ TableName, Item: { ...cold, sk: 'y', version: 2 } }));
  const conditional = (Key: typeof cold) => ({
    Update: {
      TableName,
      Key,
      // Names and values that only the update uses must not reach the check.
      UpdateExpression: 'SET #version = :next, #other = :other',
      ConditionExpression: '#version = :expected',
      ExpressionAttributeNames: { '#version': 'version', '#other': 'other' },
      ExpressionAttributeValues: { ':next': 3, ':other': 1, ':expected': 2 },
      ReturnValuesOnConditionCheckFailure: 'ALL_OLD' as const,
    },
  });
  const unlessThere = {
    Put: { TableName, Item: cold, ConditionExpression: 'attribute_not_exists(pk)' },
  };
  const cases = [
    [count(), conditional({ ...cold, sk: 'y' }), conditional(cold)],
    [count(), count({ pk: 'cold', sk: 'z' }), unlessThere],
  ];
  for (const TransactItems of cases) {
    const failing = await inFlight((slow) =>
      slow
        .send(new TransactWriteCommand({ TransactItems }))
        .catch((error: unknown) => ({ error, atMs: performance.now() })),
    );
    await client.send(new UpdateCommand(count().Update));
    const otherDoneAtMs = performance.now();
    const { error, atMs } = Object(await failing.answer);
    expect(codes(error)).toEqual([
      'TransactionCanceledException',
      'None',
      'None',
      'ConditionalCheckFailed',
    ]);
    expect(atMs).toBeGreaterThan(otherDoneAtMs);
    const isAsked = TransactItems.every((item) => item !== unlessThere);
    expect(error.CancellationReasons[2].Item?.version).toEqual(isAsked ? { N: '1' } : undefined);
  }
});

test('a repeat with the same token: in progress, then the first outcome', async () => {
  const before = (await read(hot))?.['n'];
  const command = new TransactWriteCommand({
    ClientRequestToken: 'one-token',
    TransactItems: [
      {
        Update: {
          ...count().Update,
          ConditionExpression: 'n = :before',
          ExpressionAttributeValues: { ':one': 1, ':before': before },
        },
      },
    ],
  });
  const { answer } = await inFlight((slow) => slow.send(command));
  expect(await client.send(command).catch(codes)).toEqual(['TransactionInProgressException']);
  await answer;
  // The condition does not hold any more, but it is still the same transaction.
  await client.send(command);
  expect(await read(hot)).toMatchObject({ n: before + 1 });
});

test('a cancelled transaction does not use its token up', async () => {
  running.db.latency.set({ scale: 0.1 });
  const Key = { pk: 'later', sk: 'x' };
  const command = new TransactWriteCommand({
    ClientRequestToken: 'second-token',
    TransactItems: [
      { ConditionCheck: { TableName, Key, ConditionExpression: 'attribute_exists(pk)' } },
      put({ pk: 'later', sk: 'done' }),
    ],
  });
  const refused = await client.send(command).catch(codes);
  expect(refused).toEqual(['TransactionCanceledException', 'ConditionalCheckFailed', 'None']);
  await client.send(new PutCommand({ TableName, Item: Key }));
  await client.send(command);
  expect(await read({ pk: 'later', sk: 'done' })).toBeDefined();
});

test('a transaction that the engine finds invalid says so, and leaves nothing locked', async () => {
  running.db.latency.set({ scale: 0.1 });
  const refused = await transact(count(), count()).catch(codes);
  expect(refused).toEqual(['ValidationException']);
  await client.send(new UpdateCommand(count().Update));
});
