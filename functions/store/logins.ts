// Device logins under way. A machine knows its device code, a person types the user code; neither
// stands in the table, and the device's token is made from the device code and a salt kept here.

import { isExpired } from '../domain/room.ts';
import { putDevice } from './devices.ts';
import { put, update } from './expressions.ts';
import { type Device, type Login, parseAuthRecord, parseLogin } from './items.ts';
import { keys, secretHash } from './keys.ts';
import { getItem } from './read.ts';
import type { Deadline, Table } from './table-port.ts';
import { transact, updateItem } from './write.ts';

const isFree = { expression: 'attribute_not_exists(pk)' };

export interface LoginCodes {
  readonly deviceCode: string;
  /** In its canonical form. */
  readonly userCode: string;
}

/** Notes a login; false if its user code is taken, and nothing is written. */
export async function putLogin(
  table: Table,
  deadline: Deadline,
  { deviceCode, userCode }: LoginCodes,
  login: Pick<Login, 'label' | 'createdAt' | 'expiresAt'> & { readonly salt: Uint8Array },
): Promise<boolean> {
  const hash = secretHash(deviceCode);
  const { expiresAt } = login;
  const refused = await transact(table, deadline, [
    put('login', { ...keys.authRecord('Login', hash), state: 'pending', ...login }, isFree),
    put('code', { ...userCodeKey(userCode), login: hash, expiresAt }, isFree),
  ]);
  return refused.size === 0;
}

/** The login a device code began; undefined once it expired. */
export async function getLogin(table: Table, deviceCode: string): Promise<Login | undefined> {
  return readLogin(table, secretHash(deviceCode));
}

/** A login as the person sees it who typed its code; `hash` finds it again. */
export async function getLoginByUserCode(
  table: Table,
  userCode: string,
): Promise<(Login & { readonly hash: string }) | undefined> {
  const item = await getItem(table, userCodeKey(userCode));
  const hash = item === undefined ? undefined : parseAuthRecord(item).login;
  if (hash === undefined) return undefined;
  const login = await readLogin(table, hash);
  return login === undefined ? undefined : { ...login, hash };
}

/** What the person decided. */
export type Decision =
  | { readonly state: 'denied' }
  | { readonly state: 'approved'; readonly account: string; readonly device: string };

/** Decides a login, once: false if it was decided before. */
export async function decideLogin(
  table: Table,
  deadline: Deadline,
  hash: string,
  decision: Decision,
): Promise<boolean> {
  const decided = await updateItem(
    table,
    deadline,
    keys.authRecord('Login', hash),
    { set: decision },
    { expression: '#state = :pending', values: { ':pending': 'pending' } },
  );
  return 'item' in decided;
}

/**
 * Makes the device of an approved login, once: false if it was made before. A repeat must not make
 * it again, because it may have been revoked since.
 */
export async function issueDevice(
  table: Table,
  deadline: Deadline,
  { deviceCode, token, account }: { deviceCode: string; token: string; account: string },
  device: Pick<Device, 'id' | 'label' | 'createdAt' | 'expiresAt'>,
): Promise<boolean> {
  const refused = await transact(table, deadline, [
    update(
      'login',
      keys.authRecord('Login', secretHash(deviceCode)),
      { set: { isIssued: true } },
      { expression: 'attribute_not_exists(isIssued)' },
    ),
    ...putDevice(account, token, device),
  ]);
  return refused.size === 0;
}

async function readLogin(table: Table, hash: string): Promise<Login | undefined> {
  const item = await getItem(table, keys.authRecord('Login', hash));
  const login = item === undefined ? undefined : parseLogin(item);
  return login === undefined || isExpired(login.expiresAt, table.nowMs()) ? undefined : login;
}

const userCodeKey = (userCode: string) => keys.authRecord('UserCode', secretHash(userCode));
