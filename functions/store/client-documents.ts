// Metadata documents of OAuth clients, as they were last fetched.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type ClientDocument, parseClientDocument } from './items.ts';
import { keys, secretHash } from './keys.ts';
import { getItem } from './read.ts';
import type { Table } from './table-port.ts';

/** A document by its URL, fresh or not; undefined if it was never asked for. */
export async function getClientDocument(
  table: Table,
  url: string,
): Promise<ClientDocument | undefined> {
  const item = await getItem(table, keyOf(url));
  return item === undefined ? undefined : parseClientDocument(item);
}

/** Keeps a document, or that there was none; `keepMs` is for how long it may serve at all. */
export async function putClientDocument(
  table: Table,
  url: string,
  document: ClientDocument,
  keepMs: number,
): Promise<void> {
  const expiresAt = Math.ceil((table.nowMs() + keepMs) / 1000);
  const item = { ...keyOf(url), ...document, expiresAt };
  await table.client.send(new PutCommand({ TableName: table.name, Item: item }));
}

const keyOf = (url: string) => keys.authRecord('ClientDocument', secretHash(url));
