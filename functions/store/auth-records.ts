// What the authorization server remembers: sealed records by the hash of the secret that finds
// them.
import { randomUUID } from 'node:crypto';
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { isExpired } from '../domain/room.ts';
import { refusedCondition } from './failures.ts';
import { type AuthRecord, parseAuthRecord } from './items.ts';
import { type Key, keys, secretHash } from './keys.ts';
import { getItem } from './read.ts';
import type { Deadline, Table } from './table-port.ts';
import { updateItem } from './write.ts';

/** A record's key: what kind it is, and the secret it belongs to. */
export interface RecordId {
  readonly model: string;
  readonly id: string;
}

/** A record; undefined if there is none or it expired. */
export async function getAuthRecord(
  table: Table,
  record: RecordId,
): Promise<AuthRecord | undefined> {
  const item = await getItem(table, keyOf(record));
  const found = item === undefined ? undefined : parseAuthRecord(item);
  const isOver = found?.expiresAt !== undefined && isExpired(found.expiresAt, table.nowMs());
  return isOver ? undefined : found;
}

/**
 * Writes a record. With `ifAbsent` one that is there stays as it is, and the answer is false: a new
 * secret must not fall together with an old one, and a repeat must not undo what happened since.
 */
export async function putAuthRecord(
  table: Table,
  record: RecordId,
  content: Pick<AuthRecord, 'expiresAt'> & { readonly sealed: Uint8Array },
  { ifAbsent = false } = {},
): Promise<boolean> {
  const command = new PutCommand({
    TableName: table.name,
    Item: { ...keyOf(record), ...content },
    ...(ifAbsent && { ConditionExpression: 'attribute_not_exists(pk)' }),
  });
  try {
    await table.client.send(command);
    return true;
  } catch (error) {
    if (refusedCondition(error) === undefined) throw error;
    return false;
  }
}

/**
 * Marks a record as used: true for the first use alone, of any number at once. The mark names its
 * call, so that the SDK's repeat after a lost answer does not find the record used by another one.
 */
export async function consumeAuthRecord(
  table: Table,
  deadline: Deadline,
  record: RecordId,
): Promise<boolean> {
  const consumedBy = randomUUID();
  const consumedAt = Math.floor(table.nowMs() / 1000);
  const consumed = await updateItem(
    table,
    deadline,
    keyOf(record),
    { set: { consumedAt, consumedBy } },
    {
      expression: 'attribute_not_exists(consumedBy) OR consumedBy = :me',
      values: { ':me': consumedBy },
    },
  );
  return 'item' in consumed;
}

/** Moves the end of a record; one that is gone stays gone. */
export async function extendAuthRecord(
  table: Table,
  deadline: Deadline,
  record: RecordId,
  expiresAt: number,
): Promise<void> {
  await updateItem(table, deadline, keyOf(record), { set: { expiresAt } });
}

export async function deleteAuthRecord(table: Table, record: RecordId): Promise<void> {
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: keyOf(record) }));
}

function keyOf({ model, id }: RecordId): Key {
  return keys.authRecord(model, secretHash(id));
}
