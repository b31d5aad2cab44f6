// The account side: profile and handle, the rooms of an account, and its wrong codes.
import { countAttempt } from './attempts.ts';
import type { Tick } from './change-room.ts';
import { type Condition, put, update, upsert, type Write } from './expressions.ts';
import {
  type AccountRoom,
  type Attempts,
  type Profile,
  parseAccountRoom,
  parseAttempts,
  parseProfile,
} from './items.ts';
import { accountPartition, keys, ranges } from './keys.ts';
import { departedGraceS } from './members.ts';
import { getItem, queryAll } from './read.ts';
import type { Deadline, Table } from './table-port.ts';

/** The account's profile; none until it has claimed a handle. */
export async function getProfile(table: Table, account: string): Promise<Profile | undefined> {
  const item = await getItem(table, keys.profile(account));
  return item === undefined ? undefined : parseProfile(item);
}

/**
 * Gives an account its handle: refused as `profile` if it has one, as `handle` if another has it.
 */
export function putHandle(account: string, handle: string, nowMs: number): readonly Write[] {
  const isFree = { expression: 'attribute_not_exists(pk)' };
  return [
    put('profile', { ...keys.profile(account), handle, createdAt: nowMs, ownedRooms: 0 }, isFree),
    put('handle', { ...keys.handle(handle), account }, isFree),
  ];
}

/** Ownership and stays of an account in one room. */
export async function getAccountRoom(
  table: Table,
  account: string,
  room: string,
): Promise<AccountRoom | undefined> {
  const item = await getItem(table, keys.accountRoom(account, room));
  return item === undefined ? undefined : parseAccountRoom(item);
}

/** Every room an account owns or ever had a member in. */
export async function listAccountRooms(
  table: Table,
  account: string,
): Promise<readonly AccountRoom[]> {
  const items = await queryAll(table, {
    pk: accountPartition(account),
    ...ranges.accountRooms,
  });
  return items.map(parseAccountRoom);
}

/** Counts and lists a new room of its owner; refused as `owner` at the limit. 0 = no limit. */
export function putOwnedRoom(account: string, room: string, roomsPerOwner: number): Write[] {
  const limit: Condition | undefined =
    roomsPerOwner === 0
      ? undefined
      : { expression: '#ownedRooms < :limit', values: { ':limit': roomsPerOwner } };
  return [
    update('owner', keys.profile(account), { add: { ownedRooms: 1 } }, limit),
    put('accountRoom', { ...keys.accountRoom(account, room), isOwner: true }),
  ];
}

/** Gives the place of a deleted room back. */
export function releaseOwnedRoom(account: string): Write {
  return update('owner', keys.profile(account), { add: { ownedRooms: -1 } });
}

/** Notes a stay: it is present, and stays known so that its dms remain readable to its account. */
export function addStay(account: string, room: string, no: number): Write {
  return upsert('accountRoom', keys.accountRoom(account, room), {
    add: { present: new Set([no]), stays: new Set([no]) },
    remove: ['expiresAt'],
  });
}

/**
 * Ends a stay. With the last one of an account that does not own the room its row goes, as its
 * members do; that is held to what was read, so that no row goes while a member is present.
 */
export function endStay(account: string, before: AccountRoom, no: number, tick: Tick): Write {
  const key = keys.accountRoom(account, before.room);
  const own = new Set([no]);
  const isLast = !before.isOwner && before.present.every((other) => other === no);
  if (!isLast) return update('accountRoom', key, { drop: { present: own } });
  return update(
    'accountRoom',
    key,
    { set: { expiresAt: tick.expiresAt + departedGraceS }, drop: { present: own } },
    { expression: '#present = :own', values: { ':own': own } },
  );
}

/** Wrong codes of the running window; undefined if there are none. */
export async function getAttempts(table: Table, account: string): Promise<Attempts | undefined> {
  const item = await getItem(table, keys.attempts(account));
  return item === undefined ? undefined : parseAttempts(item);
}

/**
 * Counts a wrong code and gives undefined; or, if the window's limit was reached already, the ms
 * until it ends: then this one was not even a guess.
 */
export async function countWrongCode(
  table: Table,
  deadline: Deadline,
  account: string,
  limit: number,
  windowMs: number,
): Promise<number | undefined> {
  return countAttempt(table, deadline, keys.attempts(account), { limit, windowMs });
}
