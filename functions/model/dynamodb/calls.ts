// Calls of every kind that the store makes, generated over a few items, and what comes of one.
import { TransactionCanceledException } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  type DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import * as fc from 'fast-check';
import {
  type Condition,
  check,
  existing,
  put,
  remove,
  update,
  updateOf,
  upsert,
  type Write,
} from '../../store/expressions.ts';

const TableName = 'hub';

export type Run = (client: DynamoDBDocumentClient, partition: string) => Promise<unknown>;
export interface Call {
  readonly [fc.toStringMethod]: () => string;
  readonly run: Run;
}
const call = (shown: unknown, run: Run): Call => ({
  [fc.toStringMethod]: () => fc.stringify(shown),
  run,
});

const sortKeys = ['A#1', 'A#2', 'A#3', 'B#1'] as const;
const sortKey = fc.constantFrom(...sortKeys);
const number = fc.integer({ min: 0, max: 3 });
const numberSet = fc.uniqueArray(number, { minLength: 1, maxLength: 3 }).map((all) => new Set(all));
const fields = fc.record(
  {
    tick: number,
    readSeq: fc.constantFrom(0.5, 59.333333333333336, 1764512345678),
    to: numberSet,
    room: fc.constantFrom('r_1', 'r_2'),
    hash: fc.constantFrom(new Uint8Array([1, 2]), new Uint8Array([255])),
    expiresAt: number,
    isFlag: fc.boolean(),
  },
  { requiredKeys: ['tick'] },
);

const condition: fc.Arbitrary<Condition> = fc.oneof(
  fc
    .constantFrom('attribute_exists(pk)', 'attribute_not_exists(pk)', 'attribute_not_exists(room)')
    .map((expression) => ({ expression })),
  number.map((n) => ({
    expression: '#tick = :n',
    names: { '#tick': 'tick' },
    values: { ':n': n },
  })),
  number.map((n) => ({
    expression: '#tick < :n AND attribute_not_exists(deletedAt)',
    names: { '#tick': 'tick' },
    values: { ':n': n },
  })),
  number.map((n) => ({
    expression: 'attribute_not_exists(pk) OR expiresAt <= :n',
    values: { ':n': n },
  })),
  numberSet.map((to) => ({
    expression: '#to = :to',
    names: { '#to': 'to' },
    values: { ':to': to },
  })),
  fc.record({ room: fc.constantFrom('r_1', 'r_2'), no: number }).map(({ room, no }) => ({
    expression: 'room = :room AND #tick = :no',
    names: { '#tick': 'tick' },
    values: { ':room': room, ':no': no },
  })),
);
const maybeCondition = fc.option(condition, { nil: undefined });

const assignments = fc.oneof(
  fc.record({ set: fields, remove: fc.subarray(['count', 'gone']) }),
  fc.record({ add: fc.record({ count: number }), set: fc.record({ room: fc.constant('r_1') }) }),
  fc.record({ add: fc.record({ to: numberSet }) }),
  fc.record({ drop: fc.record({ to: numberSet }) }),
);

const key = (partition: string, sk: string) => ({ pk: partition, sk });
type PartitionWrite = (partition: string) => Write;
const write: fc.Arbitrary<readonly [string, PartitionWrite]> = fc
  .record({ sk: sortKey, fields, assignments, condition, maybe: maybeCondition })
  .chain(({ sk, fields, assignments, condition, maybe }) =>
    fc.constantFrom<readonly [string, PartitionWrite]>(
      [sk, (pk) => put(sk, { ...key(pk, sk), ...fields }, maybe)],
      [sk, (pk) => update(sk, key(pk, sk), assignments, maybe)],
      [sk, (pk) => upsert(sk, key(pk, sk), assignments)],
      [sk, (pk) => remove(sk, key(pk, sk), maybe)],
      [sk, (pk) => check(sk, key(pk, sk), condition)],
    ),
  );

const transaction = fc
  .record({
    writes: fc.uniqueArray(write, { selector: ([sk]) => sk, minLength: 1, maxLength: 4 }),
    token: fc.option(fc.uuid(), { nil: undefined }),
    isRepeated: fc.boolean(),
  })
  .map(({ writes, token, isRepeated }) =>
    call(
      { transact: writes.map(([, of]) => of('P').member(TableName)), token },
      async (client, pk) => {
        const command = () =>
          new TransactWriteCommand({
            TransactItems: writes.map(([, of]) => of(pk).member(TableName)),
            ...(token !== undefined && {
              ClientRequestToken: `${token.slice(0, 8)}${pk}`.slice(0, 36),
            }),
          });
        await client.send(command());
        if (token !== undefined && isRepeated) await client.send(command());
        return {};
      },
    ),
  );

const plainUpdate = fc.record({ sk: sortKey, assignments, condition }).map((of) =>
  call({ update: of }, async (client, pk) => {
    const { Attributes } = await client.send(
      new UpdateCommand({
        TableName,
        Key: key(pk, of.sk),
        ...updateOf(of.assignments, existing(of.condition)),
        ReturnValues: 'ALL_NEW',
        ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
      }),
    );
    return Attributes;
  }),
);
const plainPut = fc.record({ sk: sortKey, fields, isOnce: fc.boolean() }).map((of) =>
  call({ put: of }, async (client, pk) => {
    await client.send(
      new PutCommand({
        TableName,
        Item: { ...key(pk, of.sk), ...of.fields },
        ...(of.isOnce && { ConditionExpression: 'attribute_not_exists(pk)' }),
      }),
    );
  }),
);
const plainDelete = fc.record({ sk: sortKey, tick: fc.option(number) }).map((of) =>
  call({ delete: of }, async (client, pk) => {
    const isHeld = {
      ConditionExpression: '#tick = :tick',
      ExpressionAttributeNames: { '#tick': 'tick' },
      ExpressionAttributeValues: { ':tick': of.tick },
    };
    await client.send(
      new DeleteCommand({ TableName, Key: key(pk, of.sk), ...(of.tick !== null && isHeld) }),
    );
  }),
);
const get = sortKey.map((sk) =>
  call({ get: sk }, async (client, pk) => {
    const Key = key(pk, sk);
    return (await client.send(new GetCommand({ TableName, Key, ConsistentRead: true }))).Item;
  }),
);
const batchGet = fc.uniqueArray(sortKey, { minLength: 1 }).map((all) =>
  call({ batchGet: all }, async (client, pk) => {
    const Keys = all.map((sk) => key(pk, sk));
    const { Responses } = await client.send(
      new BatchGetCommand({ RequestItems: { [TableName]: { Keys, ConsistentRead: true } } }),
    );
    return Responses?.[TableName]?.toSorted((a, b) => (a['sk'] < b['sk'] ? -1 : 1));
  }),
);
const query = fc
  .record({ low: sortKey, high: sortKey, isAscending: fc.boolean(), limit: fc.option(number) })
  .map((of) =>
    call({ query: of }, async (client, pk) => {
      const pages: unknown[] = [];
      let start: Record<string, unknown> | undefined;
      do {
        const page = await client.send(
          new QueryCommand({
            TableName,
            KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
            ExpressionAttributeValues: { ':pk': pk, ':low': of.low, ':high': of.high },
            ConsistentRead: true,
            ScanIndexForward: of.isAscending,
            Limit: of.limit === null ? undefined : of.limit + 1,
            ExclusiveStartKey: start,
          }),
        );
        pages.push(page.Items);
        start = page.LastEvaluatedKey;
      } while (start !== undefined);
      return pages;
    }),
  );

/** A result or refusal in a form that both sides share. */
export async function outcome(run: () => Promise<unknown>): Promise<unknown> {
  try {
    return { result: await run() };
  } catch (error) {
    if (error instanceof TransactionCanceledException) {
      return {
        cancelled: error.CancellationReasons?.map(({ Code, Item }) => [
          Code,
          Item && unmarshall(Item),
        ]),
      };
    }
    const item = error instanceof Error && 'Item' in error ? error.Item : undefined;
    return { error: error instanceof Error ? error.name : error, item };
  }
}

/** Sequences of calls in one partition. */
export const sequences: fc.Arbitrary<Call[]> = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: transaction },
    { weight: 2, arbitrary: plainUpdate },
    plainPut,
    plainDelete,
    get,
    batchGet,
    query,
  ),
  { minLength: 6, maxLength: 14 },
);
