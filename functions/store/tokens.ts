// Tokens by their hash: the one read that turns a credential into whose it is.
import { DeleteCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { isExpired } from '../domain/room.ts';
import { type OwnToken, parseToken } from './items.ts';
import { keys, secretHash } from './keys.ts';
import { getItem } from './read.ts';
import type { Table } from './table-port.ts';

/** A token's row; undefined if there is none, or not any more. */
export async function getToken(table: Table, token: string): Promise<OwnToken | undefined> {
  const item = await getItem(table, keys.token(secretHash(token)));
  const row = item === undefined ? undefined : parseToken(item);
  return row === undefined || isExpired(row.expiresAt, table.nowMs()) ? undefined : row;
}

/** Ends a token that stands alone; a device's goes by `deleteDevice`, all of a grant with it. */
export async function deleteToken(table: Table, token: string): Promise<void> {
  const Key = keys.token(secretHash(token));
  await table.client.send(new DeleteCommand({ TableName: table.name, Key }));
}

/**
 * Remembers that a website session ended: its access tokens are signed by Cognito and would go on
 * being valid. `lifeMs` is how long a token of that session can still turn up.
 */
export async function putEndedSession(table: Table, session: string, lifeMs: number) {
  const expiresAt = Math.ceil((table.nowMs() + lifeMs) / 1000);
  const item = { ...keys.endedSession(secretHash(session)), expiresAt };
  await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
}

/** Whether the person signed out of that website session. */
export async function isSessionEnded(table: Table, session: string): Promise<boolean> {
  return (await getItem(table, keys.endedSession(secretHash(session)))) !== undefined;
}
