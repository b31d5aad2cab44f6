// Machines that were signed in: one row in the account, and the token's own row beside it. Both are
// written and removed together, so a token that works is always one that can be seen and revoked.

import { isExpired } from '../domain/room.ts';
import { put, remove, update, type Write } from './expressions.ts';
import { type Device, parseDevice } from './items.ts';
import { accountPartition, keys, ranges, secretHash } from './keys.ts';
import { getItem, queryAll } from './read.ts';
import type { Deadline, Table } from './table-port.ts';
import { transact } from './write.ts';

/** Where device tokens are good: the operations and the room links. */
export const deviceAudience = 'v1';

/** A device stays signed in for so long after its last use. */
export const deviceLifeMs = 90 * 24 * 60 * 60_000;

/** Devices of an account whose tokens work. */
export async function listDevices(table: Table, account: string): Promise<readonly Device[]> {
  const items = await queryAll(table, { pk: accountPartition(account), ...ranges.devices });
  return items.map(parseDevice).filter(({ expiresAt }) => !isExpired(expiresAt, table.nowMs()));
}

/** A new device and its token; refused as `token` if that token was made before. */
export function putDevice(
  account: string,
  token: string,
  device: Pick<Device, 'id' | 'label' | 'createdAt' | 'expiresAt'>,
): readonly Write[] {
  const { id, label, createdAt, expiresAt } = device;
  const tokenHash = secretHash(token);
  const row = { kind: 'device', audience: deviceAudience, account, device: id, expiresAt };
  return [
    put('token', { ...keys.token(tokenHash), ...row }, { expression: 'attribute_not_exists(pk)' }),
    put('device', { ...keys.device(account, id), label, tokenHash, createdAt, expiresAt }),
  ];
}

/** Moves the end of a device's token. Does nothing if the device was revoked in between. */
export async function extendDevice(
  table: Table,
  deadline: Deadline,
  device: { readonly account: string; readonly id: string; readonly token: string },
  expiresAt: number,
): Promise<void> {
  const set = { expiresAt };
  await transact(table, deadline, [
    update('token', keys.token(secretHash(device.token)), { set }),
    update('device', keys.device(device.account, device.id), { set }),
  ]);
}

/** Ends a device's token at once; an unknown device is no error. */
export async function deleteDevice(
  table: Table,
  deadline: Deadline,
  account: string,
  id: string,
): Promise<void> {
  const item = await getItem(table, keys.device(account, id));
  if (item === undefined) return;
  await transact(table, deadline, [
    remove('token', keys.token(parseDevice(item).tokenHash)),
    remove('device', keys.device(account, id)),
  ]);
}
