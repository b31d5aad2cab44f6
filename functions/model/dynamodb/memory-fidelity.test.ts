// The table in memory answers as the local engine does, which stands in for DynamoDB.
import {
  DeleteCommand,
  type DynamoDBDocumentClient,
  PutCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import * as fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startTestDynamoDb, type TestDynamoDb } from '../../../local/dynamodb/testing.ts';
import { modelSettings } from '../settings.ts';
import { outcome, sequences } from './calls.ts';
import { type Answer, createMemoryClient, instantCalls, transactWrite } from './memory-client.ts';
import { createMemoryTable, type Decided, type MemoryTable } from './memory-table.ts';
import { TransactWrite } from './requests.ts';

const TableName = 'hub';
const { times, seed } = modelSettings();

/** Answers from a table in memory; `show` says when a decided transaction becomes visible. */
function answerFrom(table: MemoryTable, show: (decided: Decided) => Promise<void>): Answer {
  return async (operation, input) => {
    if (operation !== transactWrite) return instantCalls[operation]?.(table, 'test', input) ?? {};
    const decided = table.decide('test', TransactWrite.parse(input));
    if (decided !== undefined) await show(decided);
    return {};
  };
}

async function atOnce({ steps, finish }: Decided): Promise<void> {
  for (const step of steps) step();
  finish();
}

const transactionOf = (pk: string, token: string, ...sks: readonly string[]) =>
  new TransactWriteCommand({
    TransactItems: sks.map((sk) => ({ Put: { TableName, Item: { pk, sk, tick: 1 } } })),
    ClientRequestToken: token,
  });

/** Calls that meet the items A, B and C of a transaction that has not become visible. */
const meetings: Readonly<
  Record<string, (client: DynamoDBDocumentClient, pk: string) => Promise<unknown>>
> = {
  'another transaction': (client, pk) => client.send(transactionOf(pk, 'other', 'Z', 'B')),
  'the same transaction again': (client, pk) =>
    client.send(transactionOf(pk, `first${pk}`, 'A', 'B', 'C')),
  'a put': (client, pk) => client.send(new PutCommand({ TableName, Item: { pk, sk: 'B' } })),
  'a delete': (client, pk) => client.send(new DeleteCommand({ TableName, Key: { pk, sk: 'C' } })),
  'an update': (client, pk) =>
    client.send(
      new UpdateCommand({
        TableName,
        Key: { pk, sk: 'A' },
        UpdateExpression: 'SET room = :room',
        ExpressionAttributeValues: { ':room': 'r_1' },
      }),
    ),
};

describe('the table in memory', () => {
  let local: TestDynamoDb;
  let engine: DynamoDBDocumentClient;
  beforeAll(async () => {
    local = await startTestDynamoDb();
    engine = local.client();
  });
  afterAll(() => local.close());

  test('answers any sequence of calls as the engine does', {
    timeout: 120_000 * times,
  }, async () => {
    let partitions = 0;
    await fc.assert(
      fc.asyncProperty(sequences, async (sequence) => {
        partitions += 1;
        const memory = createMemoryClient(answerFrom(createMemoryTable(), atOnce));
        for (const { run } of sequence) {
          const ours = await outcome(() => run(memory, `P#${partitions}`));
          expect(ours).toEqual(await outcome(() => run(engine, `P#${partitions}`)));
        }
      }),
      { numRuns: 60 * times, seed },
    );
  });

  test.each(Object.entries(meetings))('refuses %s as the engine does', async (name, meet) => {
    const { promise, resolve: letGo } = Promise.withResolvers<void>();
    const held = answerFrom(createMemoryTable(), async (decided) => {
      await promise;
      await atOnce(decided);
    });
    const memory = createMemoryClient(held);
    const first = memory.send(transactionOf('P', 'firstP', 'A', 'B', 'C'));
    const refusal = await outcome(() => meet(memory, 'P'));
    letGo();
    await first;
    expect(refusal).not.toHaveProperty('result');
    expect(await refusalByEngine(name, meet)).toEqual(refusal);
  });

  /** The engine holds the items for a moment only: it is asked until the calls have met. */
  async function refusalByEngine(
    name: string,
    meet: (client: DynamoDBDocumentClient, pk: string) => Promise<unknown>,
  ): Promise<unknown> {
    const stop = local.db.faults.add({
      fault: 'torn-transaction',
      sortPrefix: 'A',
      maxPauseMs: 200,
    });
    let refusal: unknown;
    let attempts = 0;
    await expect
      .poll(
        async () => {
          attempts += 1;
          const pk = `${name.at(-1)}${attempts}`;
          const first = engine.send(transactionOf(pk, `first${pk}`, 'A', 'B', 'C'));
          refusal = await outcome(() => meet(engine, pk));
          await first;
          return refusal;
        },
        { timeout: 20_000, interval: 1 },
      )
      .not.toHaveProperty('result');
    stop();
    return refusal;
  }
});
