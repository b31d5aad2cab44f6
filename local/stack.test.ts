import { existsSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DynamoDBClient, QueryCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, onTestFinished, test } from 'vitest';
import { grants, hubResources } from './fixtures/hub.ts';
import { assemblyOf, type Json, roleResource, temporaryFolder } from './fixtures/resources.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';
import { operatorPrincipal } from './template/roles.ts';

async function startHub(options: StackOptions = {}, changes: Json = {}): Promise<Stack> {
  const assembly = assemblyOf(hubResources(changes), {
    Outputs: { HubUrl: { Value: { 'Fn::GetAtt': ['Api', 'ApiEndpoint'] } } },
  });
  const stack = await startStack({ assembly, retryDelayMs: 1, ...options });
  onTestFinished(stack.close);
  return stack;
}

async function call(stack: Stack, action: string, input: object = {}) {
  const body = JSON.stringify(input);
  const response = await fetch(`${stack.url}/v1/${action}`, { method: 'POST', body });
  return JSON.parse(await response.text());
}

/** Sort keys of a partition, as the operator sees them. */
async function keysOf(stack: Stack, pk: string): Promise<string[]> {
  const client = new DynamoDBClient({
    endpoint: stack.dynamodb.endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: operatorPrincipal, secretAccessKey: 'any' },
  });
  const { Items = [] } = await client.send(
    new QueryCommand({
      TableName: 'Table',
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': { S: pk } },
    }),
  );
  client.destroy();
  return Items.map((item) => item['sk']?.S ?? '');
}

describe('a stack', () => {
  test('takes a request through API, function, table and stream to the next function', async () => {
    const stack = await startHub();
    await call(stack, 'write', { pk: 'ROOM#1', sk: 'LOG#1' });
    await call(stack, 'write', { pk: 'ACCOUNT#1', sk: 'PROFILE' });
    await call(stack, 'write', { pk: 'ROOM#1', sk: 'LOG#2' });
    await expect.poll(() => keysOf(stack, 'SEEN')).toEqual(['LOG#1', 'LOG#2']);
    await expect.poll(() => stack.metrics().iteratorAgesMs).toEqual({ StreamMapping: 0 });
  });

  test('takes a message through the queue', async () => {
    const stack = await startHub();
    await call(stack, 'enqueue', { text: 'hello' });
    await expect.poll(() => keysOf(stack, 'RECEIVED')).toEqual(['hello']);
    const empty = { visible: 0, inFlight: 0, delayed: 0 };
    await expect.poll(() => stack.metrics().queues).toEqual({ Queue: empty, Dead: empty });
  });

  test('lets a function do only what its role allows', async () => {
    const stack = await startHub();
    expect(await call(stack, 'scan')).toEqual({ error: 'AccessDeniedException' });
    const { send, ...others } = grants;
    expect(send.actions).toEqual(['sqs:SendMessage']);
    const silent = await startHub({}, { Role: roleResource(Object.values(others)) });
    expect(await call(silent, 'enqueue', { text: 'x' })).toEqual({ error: 'AccessDenied' });
  });

  test('tells functions its own addresses, and the overrides of whoever starts it', async () => {
    const stack = await startHub({ envOverrides: { LIMIT: '5000' } });
    const { variables } = (await call(stack, 'look')).result;
    expect(variables).toMatchObject({ LIMIT: '5000', HUB_URL: stack.url, TABLE_NAME: 'Table' });
    expect(variables.COGNITO_ISSUER).toBe(stack.cognito?.issuer);
    expect(variables.COGNITO_JWKS_URI).toBe(stack.cognito?.jwksUri);
    const keys = await (await fetch(variables.COGNITO_JWKS_URI)).json();
    expect(keys).toMatchObject({ keys: [{ kty: 'RSA' }] });
    expect(stack.outputs).toEqual({ HubUrl: stack.url });
  });

  test('moves the clock of functions that run and of those to come', async () => {
    const hour = 3_600_000;
    const stack = await startHub({ nowShiftMs: hour });
    const ahead = async () => (await call(stack, 'look')).result.now - Date.now();
    expect(Math.round((await ahead()) / hour)).toBe(1);
    stack.clock.advance(24 * hour);
    expect(Math.round((await ahead()) / hour)).toBe(25);
    await stack.functions.pool('Http').kill();
    expect(Math.round((await ahead()) / hour)).toBe(25);
    expect(Math.round((stack.clock.now() - Date.now()) / hour)).toBe(25);
  });

  test('gives failed records and messages to the dead-letter queue', async () => {
    const envOverrides = { STREAM_IS_BROKEN: '1', QUEUE_IS_BROKEN: '1' };
    const stack = await startHub({ envOverrides });
    await call(stack, 'write', { pk: 'ROOM#1', sk: 'LOG#1' });
    await expect.poll(() => stack.metrics().queues['Dead']?.visible).toBe(1);
    await call(stack, 'enqueue', { text: 'x' });
    await expect.poll(() => stack.metrics().queues['Queue']?.inFlight).toBe(1);
    stack.clock.advance(60_000);
    await expect.poll(() => stack.metrics().queues['Dead']?.visible).toBe(2);
  });

  test('keeps everything in its folder, and resumes what was not done', async () => {
    const folder = temporaryFolder();
    const envOverrides = { STREAM_IS_BROKEN: '1', QUEUE_IS_BROKEN: '1' };
    const first = await startHub({ folder, envOverrides, retryDelayMs: 60_000 });
    await call(first, 'write', { pk: 'ROOM#1', sk: 'LOG#1' });
    await call(first, 'enqueue', { text: 'hello' });
    await expect.poll(() => first.metrics().queues['Queue']?.inFlight).toBe(1);
    await expect.poll(() => first.metrics().iteratorAgesMs['StreamMapping']).toBeGreaterThan(0);
    await first.close();

    const second = await startHub({ folder });
    expect(await keysOf(second, 'ROOM#1')).toEqual(['LOG#1']);
    await expect.poll(() => keysOf(second, 'SEEN')).toEqual(['LOG#1']);
    await expect.poll(() => keysOf(second, 'RECEIVED')).toEqual(['hello']);
  });

  test('without a folder leaves nothing behind', async () => {
    const leftovers = () =>
      existsSync('/dev/shm')
        ? readdirSync('/dev/shm').filter((name) => name.startsWith(`tandry-memory-${process.pid}-`))
        : [];
    const before = leftovers();
    const stack = await startHub();
    await call(stack, 'write', { pk: 'ROOM#1', sk: 'LOG#1' });
    await stack.close();
    expect(leftovers()).toEqual(before);
    await expect(fetch(stack.url)).rejects.toThrow();
  });
});

describe('a stack does not start', () => {
  test.each([
    [
      'a function that may not read its stream',
      'stream',
      'StreamMapping needs OnStream to dynamodb:DescribeStream',
    ],
    [
      'a function that may not read its queue',
      'receive',
      'QueueMapping needs OnQueue to sqs:ReceiveMessage',
    ],
    [
      'a mapping that may not report failures',
      'giveUp',
      'StreamMapping needs OnStream to sqs:SendMessage on arn',
    ],
  ] as const)('with %s', async (_, missing, message) => {
    const some = Object.entries(grants).filter(([name]) => name !== missing);
    const Role = roleResource(some.map(([, grant]) => grant));
    await expect(startHub({}, { Role })).rejects.toThrow(message);
  });

  test('with a route whose function does not permit it', async () => {
    const Permission0 = { Type: 'AWS::Logs::LogGroup' };
    await expect(startHub({}, { Permission0 })).rejects.toThrow(
      'Http does not permit the API to invoke it for POST/v1/{action}',
    );
  });

  test('in a folder where another one runs', async () => {
    const folder = temporaryFolder();
    await startHub({ folder });
    await expect(startHub({ folder })).rejects.toThrow(`already running (process ${process.pid})`);
  });

  test.each(['queues', 'streams', 'dynamodb', 'cognito'])('on damaged %s', async (part) => {
    const folder = temporaryFolder();
    const first = await startHub({ folder });
    await call(first, 'write', { pk: 'ROOM#1', sk: 'LOG#1' });
    await expect.poll(() => readdirSync(join(folder, part))).not.toEqual([]);
    await first.close();
    for (const file of readdirSync(join(folder, part))) {
      writeFileSync(join(folder, part, file), 'nonsense '.repeat(1_000));
    }
    await expect(startHub({ folder })).rejects.toThrow(/damaged/);
  });
});
