// What a person granted a client: the grant's record, and under it the access tokens that live.
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import { deleteAuthRecord } from './auth-records.ts';
import { check, put } from './expressions.ts';
import type { OwnToken } from './items.ts';
import { grantPartition, keys, nameIn, ranges, secretHash } from './keys.ts';
import { queryAll } from './read.ts';
import type { Deadline, Table } from './table-port.ts';
import { transact } from './write.ts';

/** Name of the records that `deleteGrant` ends. */
export const grantModel = 'Grant';

/**
 * Adds an access token to a grant, if the grant still stands: false if it was revoked meanwhile. A
 * token that is there already stays as it is, and counts as added.
 */
export async function putGrantToken(
  table: Table,
  deadline: Deadline,
  { grant, token }: { readonly grant: string; readonly token: string },
  row: Omit<OwnToken, 'kind' | 'device' | 'sealed'> & { readonly sealed: Uint8Array },
): Promise<boolean> {
  const grantHash = secretHash(grant);
  const hash = secretHash(token);
  const { expiresAt } = row;
  const item = { ...keys.token(hash), kind: 'connector', device: grantHash, ...row };
  const refused = await transact(table, deadline, [
    check('grant', keys.authRecord(grantModel, grantHash), {
      expression: 'attribute_exists(pk)',
    }),
    put('token', item, { expression: 'attribute_not_exists(pk)' }),
    put('listed', { ...keys.grantToken(grantHash, hash), expiresAt }),
  ]);
  return !refused.has('grant');
}

/**
 * Ends a grant and every access token of it. First the grant, so that no token can be added behind
 * the ones that are found; refresh tokens and codes are worth nothing without it.
 */
export async function deleteGrant(table: Table, grant: string): Promise<void> {
  await deleteAuthRecord(table, { model: grantModel, id: grant });
  const pk = grantPartition(secretHash(grant));
  const listed = await queryAll(table, { pk, ...ranges.grantTokens });
  await Promise.all(
    listed.map(async (item) => {
      const sk = String(item['sk']);
      await drop(table, keys.token(nameIn(sk)));
      await drop(table, { pk, sk });
    }),
  );
}

async function drop(table: Table, key: { pk: string; sk: string }): Promise<void> {
  await table.client.send(new DeleteCommand({ TableName: table.name, Key: key }));
}
