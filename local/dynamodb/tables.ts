// Tables as the local stack defines them, and their creation in the engine.
import { setTimeout as delay } from 'node:timers/promises';
import { type JsonObject, objectOf, textOf } from './json.ts';
import { type Answer, dynamoDbService, errorName, type WireClient } from './wire.ts';

export type StreamViewType = 'KEYS_ONLY' | 'NEW_IMAGE' | 'OLD_IMAGE' | 'NEW_AND_OLD_IMAGES';

/** One table. Keys are strings; there are no secondary indexes. */
export interface TableDefinition {
  tableName: string;
  partitionKey: string;
  sortKey?: string;
  timeToLiveAttribute?: string;
  /** What a stream record shows; no stream if absent. */
  streamViewType?: StreamViewType;
}

/** What only the engine knows of a table. */
export interface EngineTable extends TableDefinition {
  /** The engine's ARNs up to the table's name, e.g. `arn:aws:dynamodb:x:0:table/`. */
  arnPrefix: string;
  streamArn?: string;
}

/** Creates the table unless it is there already, with its TTL. */
export async function ensureTable(
  engine: WireClient,
  definition: TableDefinition,
): Promise<EngineTable> {
  const name = { TableName: definition.tableName };
  let described = await call(engine, 'DescribeTable', name);
  if (errorName(described) === 'ResourceNotFoundException') {
    checked('CreateTable', await call(engine, 'CreateTable', creation(definition)));
    described = await waitUntilActive(engine, name);
  }
  const table = objectOf(checked('DescribeTable', described)['Table']);
  if (definition.timeToLiveAttribute !== undefined) {
    await ensureTimeToLive(engine, name, definition.timeToLiveAttribute);
  }
  const arn = textOf(table['TableArn']) ?? '';
  const streamArn = textOf(table['LatestStreamArn']);
  return {
    ...definition,
    arnPrefix: arn.slice(0, arn.length - definition.tableName.length),
    ...(streamArn === undefined ? {} : { streamArn }),
  };
}

async function waitUntilActive(engine: WireClient, name: JsonObject): Promise<Answer> {
  const deadlineMs = Date.now() + 30_000;
  for (;;) {
    const described = await call(engine, 'DescribeTable', name);
    const status = objectOf(described.body['Table'])['TableStatus'];
    if (status === 'ACTIVE' || Date.now() > deadlineMs) return described;
    await delay(20);
  }
}

async function ensureTimeToLive(
  engine: WireClient,
  name: JsonObject,
  attribute: string,
): Promise<void> {
  const described = checked('DescribeTimeToLive', await call(engine, 'DescribeTimeToLive', name));
  const status = objectOf(described['TimeToLiveDescription'])['TimeToLiveStatus'];
  if (status === 'ENABLED' || status === 'ENABLING') return;
  const specification = { Enabled: true, AttributeName: attribute };
  const body = { ...name, TimeToLiveSpecification: specification };
  checked('UpdateTimeToLive', await call(engine, 'UpdateTimeToLive', body));
}

function creation({
  tableName,
  partitionKey,
  sortKey,
  streamViewType,
}: TableDefinition): JsonObject {
  const keys = [{ name: partitionKey, type: 'HASH' }];
  if (sortKey !== undefined) keys.push({ name: sortKey, type: 'RANGE' });
  return {
    TableName: tableName,
    BillingMode: 'PAY_PER_REQUEST',
    KeySchema: keys.map(({ name, type }) => ({ AttributeName: name, KeyType: type })),
    AttributeDefinitions: keys.map(({ name }) => ({ AttributeName: name, AttributeType: 'S' })),
    // Both images inside, whatever is shown outside: only they tell a change from a no-op.
    ...(streamViewType === undefined
      ? {}
      : { StreamSpecification: { StreamEnabled: true, StreamViewType: 'NEW_AND_OLD_IMAGES' } }),
  };
}

function call(engine: WireClient, operation: string, body: JsonObject): Promise<Answer> {
  return engine.call(`${dynamoDbService}.${operation}`, body);
}

function checked(operation: string, answer: Answer): JsonObject {
  const name = errorName(answer);
  if (name === undefined) return answer.body;
  throw new Error(`${operation} failed: ${name}: ${textOf(answer.body['message']) ?? ''}`);
}
