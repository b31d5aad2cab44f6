// Permission: what is asked of a policy for each call, and what a refused caller is told.
import {
  BatchWriteCommand,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactGetCommand,
  TransactWriteCommand,
} from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { isAllowed, type Statement } from '../iam/evaluate.ts';
import { startTestDynamoDb, type TestDynamoDb, testTable } from './testing.ts';

const TableName = testTable.tableName;
const table = 'arn:aws:dynamodb:eu-central-1:123456789012:table/hub';
const statements: Record<string, Statement[]> = {
  Writer: [
    {
      Effect: 'Allow',
      Action: ['dynamodb:PutItem', 'dynamodb:UpdateItem', 'dynamodb:DeleteItem'],
      Resource: table,
    },
  ],
  Rooms: [
    {
      Effect: 'Allow',
      Action: 'dynamodb:*',
      Resource: table,
      Condition: { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ROOM#*'] } },
    },
  ],
};
const asked: { principal: string; question: string; leadingKeys: string[] }[] = [];
let running: TestDynamoDb;

beforeAll(async () => {
  running = await startTestDynamoDb({
    account: '123456789012',
    authorize(principal, action, resource, { leadingKeys }) {
      asked.push({ principal, question: `${action} ${resource}`, leadingKeys });
      const context = { 'dynamodb:LeadingKeys': leadingKeys };
      return isAllowed(statements[principal] ?? [], { action, resource, context });
    },
  });
});
beforeEach(() => {
  asked.length = 0;
});
afterAll(() => running.close());

const room = { pk: 'ROOM#1', sk: 'META' };
const account = { pk: 'ACCOUNT#1', sk: 'PROFILE' };
const query = (partition: string) =>
  new QueryCommand({
    TableName,
    KeyConditionExpression: '#pk = :pk AND begins_with(sk, :sk)',
    ExpressionAttributeNames: { '#pk': 'pk' },
    ExpressionAttributeValues: { ':pk': partition, ':sk': 'LOG#' },
  });
const read = (...keys: object[]) =>
  new TransactGetCommand({
    TransactItems: keys.map((Key) => ({ Get: { TableName, Key: { ...Key } } })),
  });

test('a refusal names the principal, the action and the resource', async () => {
  const refused = running.client('Writer').send(new GetCommand({ TableName, Key: room }));
  await expect(refused).rejects.toMatchObject({
    name: 'AccessDeniedException',
    message: expect.stringMatching(
      new RegExp(`Writer is not authorized to perform: dynamodb:GetItem on resource: ${table} `),
    ),
  });
});

test('a principal without a policy may do nothing', async () => {
  const refused = running.client('Nobody').send(new PutCommand({ TableName, Item: room }));
  await expect(refused).rejects.toThrow('Nobody is not authorized');
});

test('every kind of member of a transaction is asked for by its own action', async () => {
  const Update = {
    UpdateExpression: 'SET n = :n',
    ExpressionAttributeValues: { ':n': 1 },
  };
  const ConditionExpression = 'attribute_not_exists(pk)';
  const changes = [
    { Put: { TableName, Item: room } },
    { Update: { TableName, Key: { ...room, sk: 'u' }, ...Update } },
    { Delete: { TableName, Key: { ...room, sk: 'd' } } },
  ];
  await running.client('Writer').send(new TransactWriteCommand({ TransactItems: changes }));
  expect(asked.map(({ question }) => question)).toEqual(
    ['PutItem', 'UpdateItem', 'DeleteItem'].map((action) => `dynamodb:${action} ${table}`),
  );
  const check = { ConditionCheck: { TableName, Key: account, ConditionExpression } };
  const refused = running
    .client('Writer')
    .send(new TransactWriteCommand({ TransactItems: [...changes, check] }));
  await expect(refused).rejects.toThrow('dynamodb:ConditionCheckItem');
});

test('a refused transaction applies nothing', async () => {
  const gone = { pk: 'ROOM#never', sk: 'META' };
  const TransactItems = [{ Put: { TableName, Item: gone } }, { Put: { TableName, Item: account } }];
  const refused = running.client('Rooms').send(new TransactWriteCommand({ TransactItems }));
  await expect(refused).rejects.toMatchObject({ name: 'AccessDeniedException' });
  const { Item } = await running.client('Rooms').send(new GetCommand({ TableName, Key: gone }));
  expect(Item).toBeUndefined();
});

test('leading keys are those that the call names, wherever they stand in it', async () => {
  const client = running.client('Rooms');
  await client.send(query('ROOM#1'));
  await client.send(read(room, { ...room, sk: 'x' }, { pk: 'ROOM#2', sk: 'META' }));
  await client.send(
    new BatchWriteCommand({
      RequestItems: {
        hub: [
          { PutRequest: { Item: room } },
          { DeleteRequest: { Key: { pk: 'ROOM#3', sk: 'x' } } },
        ],
      },
    }),
  );
  expect(asked).toEqual([
    { principal: 'Rooms', question: `dynamodb:Query ${table}`, leadingKeys: ['ROOM#1'] },
    {
      principal: 'Rooms',
      question: `dynamodb:GetItem ${table}`,
      leadingKeys: ['ROOM#1', 'ROOM#2'],
    },
    {
      principal: 'Rooms',
      question: `dynamodb:BatchWriteItem ${table}`,
      leadingKeys: ['ROOM#1', 'ROOM#3'],
    },
  ]);
});

test('a policy on leading keys holds for queries and transactions', async () => {
  const client = running.client('Rooms');
  const refused = { name: 'AccessDeniedException' };
  await expect(client.send(query('ACCOUNT#1'))).rejects.toMatchObject(refused);
  await expect(client.send(read(room, account))).rejects.toMatchObject(refused);
});

test('an index is a resource of its own', async () => {
  const command = new QueryCommand({ ...query('ROOM#1').input, IndexName: 'by-name' });
  await expect(running.client('Rooms').send(command)).rejects.toThrow(`${table}/index/by-name`);
});

test('a refused call stands in the ledger and costs nothing', async () => {
  const measured = await running.db.ledger.measure(() =>
    running
      .client('Nobody')
      .send(new PutCommand({ TableName, Item: room }))
      .catch(() => {}),
  );
  expect(measured.calls).toEqual([
    {
      principal: 'Nobody',
      operation: 'PutItem',
      reads: 0,
      writes: 0,
      error: 'AccessDeniedException',
    },
  ]);
});
