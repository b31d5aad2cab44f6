// A room's META and CLOCK, its code, and what makes, changes and ends a room.
import type { Clock } from '../domain/room.ts';
import { check, put, remove, update, type Write } from './expressions.ts';
import { parseClock, parseCode, parseMeta, type RoomMeta } from './items.ts';
import { keys, roomOfPartition } from './keys.ts';
import { getItem, getItems } from './read.ts';
import type { Table } from './table-port.ts';

/** The room's clock, also of a deleted room (`deletedAt`); undefined if there never was one. */
export async function getClock(table: Table, room: string): Promise<Clock | undefined> {
  const item = await getItem(table, keys.clock(room));
  return item === undefined ? undefined : parseClock(item);
}

/** Name, description, owner and code; a deleted room still has its owner. */
export async function getRoomMeta(table: Table, room: string): Promise<RoomMeta | undefined> {
  const item = await getItem(table, keys.roomMeta(room));
  return item === undefined ? undefined : parseMeta(item);
}

/** META of several rooms by room ID; rooms that are gone are left out. */
export async function getRoomMetas(
  table: Table,
  rooms: readonly string[],
): Promise<ReadonlyMap<string, RoomMeta>> {
  const items = await getItems(table, rooms.map(keys.roomMeta));
  return new Map(items.map((item) => [roomOfPartition(String(item['pk'])) ?? '', parseMeta(item)]));
}

/** The room a code admits to now. */
export async function getRoomOfCode(table: Table, code: string): Promise<string | undefined> {
  const item = await getItem(table, keys.code(code));
  return item === undefined ? undefined : parseCode(item).room;
}

/**
 * A new room's META, CLOCK and code; refused as `meta` if the ID was ever used, as `code` if the
 * code is.
 */
export function putRoom(room: {
  readonly id: string;
  readonly name: string;
  readonly description: string;
  readonly owner: string;
  readonly code: string;
  readonly retentionDays: number;
  readonly nowMs: number;
}): readonly Write[] {
  return [
    put(
      'meta',
      {
        ...keys.roomMeta(room.id),
        name: room.name,
        description: room.description,
        owner: room.owner,
        code: room.code,
        createdAt: room.nowMs,
      },
      { expression: 'attribute_not_exists(pk)' },
    ),
    put('clock', {
      ...keys.clock(room.id),
      tick: 0,
      rosterTick: 0,
      memberCount: 0,
      presentCount: 0,
      lastExpiresAt: 0,
      retentionDays: room.retentionDays,
    }),
    putCode(room.code, room.id),
  ];
}

function putCode(code: string, room: string): Write {
  return put('code', { ...keys.code(code), room }, { expression: 'attribute_not_exists(pk)' });
}

/** Holds a join to a code that still admits: rotated away in between refuses it as `code`. */
export function checkCode(code: string, room: string): Write {
  return check('code', keys.code(code), {
    expression: 'room = :room',
    values: { ':room': room },
  });
}

/**
 * Changes what is given of name, description and code, and leaves the rest to whoever else changes
 * it now. On the condition that the code is the one read, so that of two rotations at once one
 * starts again, and no code is ever left behind without its room.
 */
export function updateRoom(
  room: string,
  before: RoomMeta,
  change: Partial<Pick<RoomMeta, 'name' | 'description' | 'code'>>,
): readonly Write[] {
  const meta = update(
    'meta',
    keys.roomMeta(room),
    { set: change },
    {
      expression: '#code = :before AND attribute_not_exists(deletedAt)',
      names: { '#code': 'code' },
      values: { ':before': before.code },
    },
  );
  if (change.code === undefined) return [meta];
  return [meta, remove('oldCode', keys.code(before.code)), putCode(change.code, room)];
}

/**
 * Ends a room: META and CLOCK become tombstones in one transaction, so that no commit passes
 * afterwards; what people wrote in META goes at once, the rest is purged in the background.
 */
export function deleteRoom(room: string, before: RoomMeta, nowMs: number): readonly Write[] {
  return [
    update(
      'meta',
      keys.roomMeta(room),
      { set: { deletedAt: nowMs }, remove: ['name', 'description', 'code'] },
      {
        expression: '#code = :before AND attribute_not_exists(#deletedAt)',
        names: { '#code': 'code' },
        values: { ':before': before.code },
      },
    ),
    update('clock', keys.clock(room), { set: { deletedAt: nowMs } }),
    remove('code', keys.code(before.code)),
  ];
}
