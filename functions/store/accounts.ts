// The account side: profile and handle, the rooms of an account, and its wrong codes.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { type Condition, put, update, upsert, type Write } from './expressions.ts';
import { refusedCondition } from './failures.ts';
import {
  type AccountRoom,
  type Attempts,
  type Profile,
  parseAccountRoom,
  parseAttempts,
  parseProfile,
} from './items.ts';
import { accountPartition, keys, ranges } from './keys.ts';
import { getItem, queryAll } from './read.ts';
import type { Deadline, Table } from './table-port.ts';
import { updateItem } from './write.ts';

/** The account's profile; none until it has claimed a handle. */
export async function getProfile(table: Table, account: string): Promise<Profile | undefined> {
  const item = await getItem(table, keys.profile(account));
  return item === undefined ? undefined : parseProfile(item);
}

/** Gives an account its handle: refused as `profile` if it has one, as `handle` if another has it. */
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
  });
}

export function endStay(account: string, room: string, no: number): Write {
  return update('accountRoom', keys.accountRoom(account, room), {
    drop: { present: new Set([no]) },
  });
}

/** Wrong codes of the running window; undefined if there are none. */
export async function getAttempts(table: Table, account: string): Promise<Attempts | undefined> {
  const item = await getItem(table, keys.attempts(account));
  return item === undefined ? undefined : parseAttempts(item);
}

/**
 * Counts a wrong code. False if the window's limit was reached already: then this one was not even
 * a guess. The condition makes the limit hold for any number of guesses at once.
 */
export async function countWrongCode(
  table: Table,
  deadline: Deadline,
  account: string,
  limit: number,
  windowMs: number,
): Promise<boolean> {
  const nowMs = table.nowMs();
  const counted = await updateItem(
    table,
    deadline,
    keys.attempts(account),
    { add: { count: 1 } },
    {
      expression: '#count < :limit AND windowStart > :oldest',
      values: { ':limit': limit, ':oldest': nowMs - windowMs },
    },
  );
  if ('item' in counted) return true;
  const running = counted.refused === undefined ? undefined : parseAttempts(counted.refused);
  if (running !== undefined && running.windowStart > nowMs - windowMs) return false;
  return (await startWindow(table, account, running, nowMs, windowMs))
    ? true
    : countWrongCode(table, deadline, account, limit, windowMs);
}

/** Opens a window with this wrong code as its first; false if another call was quicker. */
async function startWindow(
  table: Table,
  account: string,
  before: Attempts | undefined,
  nowMs: number,
  windowMs: number,
): Promise<boolean> {
  const condition =
    before === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: 'windowStart = :before',
          ExpressionAttributeValues: { ':before': before.windowStart },
        };
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: {
          ...keys.attempts(account),
          count: 1,
          windowStart: nowMs,
          expiresAt: Math.ceil((nowMs + windowMs) / 1000),
        },
        ...condition,
      }),
    );
    return true;
  } catch (error) {
    if (refusedCondition(error) !== undefined) return false;
    throw error;
  }
}
