// Takes a request apart into the items and tables it touches, each under its IAM action.
import { isObject, type Json, type JsonObject, listOf, objectOf, textOf } from './json.ts';
import { readPartition } from './key-condition.ts';
import type { TableDefinition } from './tables.ts';

/** One item, or one table's or partition's worth of a Query, that a request touches. */
export interface Member {
  /** The operation that IAM asks about, e.g. `PutItem` for a Put inside a transaction. */
  action: string;
  /** Absent where the operation names no table. */
  tableName?: string;
  indexName?: string;
  /** Text of its partition key, where it has one. */
  partition?: string;
  sort?: string;
  /** Identifies the item over all tables; absent where it is not about one known item. */
  itemId?: string;
  /** The member of the request it was read from. */
  source: JsonObject;
}

export type Tables = ReadonlyMap<string, TableDefinition>;

/** IAM action of each member of a transaction. */
const transactActions: Record<string, string> = {
  Put: 'PutItem',
  Update: 'UpdateItem',
  Delete: 'DeleteItem',
  ConditionCheck: 'ConditionCheckItem',
  Get: 'GetItem',
};

/** Members in the order of the request; an operation with no items has one, for its table. */
export function readMembers(operation: string, body: JsonObject, tables: Tables): Member[] {
  if (body['TransactItems'] !== undefined) {
    return listOf(body['TransactItems']).map((entry) => {
      const [[kind = '', member] = []] = Object.entries(objectOf(entry));
      return itemMember(transactActions[kind] ?? kind, objectOf(member), tables);
    });
  }
  if (body['RequestItems'] !== undefined) {
    return Object.entries(objectOf(body['RequestItems'])).flatMap(([tableName, requests]) =>
      batchKeys(requests).map((key) =>
        itemMember(operation, { TableName: tableName, Key: key }, tables),
      ),
    );
  }
  if (body['Key'] !== undefined || body['Item'] !== undefined) {
    return [itemMember(operation, body, tables)];
  }
  return [tableMember(operation, body, tables)];
}

/** Keys (of a batch read) or keys and items (of a batch write) of one table's requests. */
function batchKeys(requests: Json | undefined): Json[] {
  if (isObject(requests)) return listOf(requests['Keys']);
  return listOf(requests).map((request) => batchWriteKey(objectOf(request)));
}

/** The key or whole item of one request of a BatchWriteItem. */
function batchWriteKey(request: JsonObject): JsonObject {
  const put = objectOf(request['PutRequest'])['Item'];
  return objectOf(put ?? objectOf(request['DeleteRequest'])['Key']);
}

function itemMember(action: string, source: JsonObject, tables: Tables): Member {
  const tableName = textOf(source['TableName']);
  const table = tables.get(tableName ?? '');
  if (tableName === undefined || table === undefined) {
    return { action, ...named(tableName), source };
  }
  const key = objectOf(source['Key'] ?? source['Item']);
  const keyValues = [key[table.partitionKey], key[table.sortKey ?? '']];
  const [partition = '', sort = ''] = keyValues.map(keyText);
  return {
    action,
    tableName,
    partition,
    sort,
    source,
    itemId: JSON.stringify([tableName, ...keyValues]),
  };
}

function tableMember(action: string, source: JsonObject, tables: Tables): Member {
  const tableName = textOf(source['TableName']);
  const indexName = textOf(source['IndexName']);
  const partitionKey = tables.get(tableName ?? '')?.partitionKey;
  const value = partitionKey === undefined ? undefined : readPartition(source, partitionKey);
  return {
    action,
    ...named(tableName),
    ...(indexName === undefined ? {} : { indexName }),
    ...(value === undefined ? {} : { partition: keyText(value) }),
    source,
  };
}

function named(tableName: string | undefined): { tableName?: string } {
  return tableName === undefined ? {} : { tableName };
}

/** The text of a key attribute's value: `{ S: 'a' }` → `a`. */
function keyText(value: Json | undefined): string {
  const [text] = Object.values(objectOf(value));
  return textOf(text) ?? '';
}
