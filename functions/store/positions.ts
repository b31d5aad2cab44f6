// Reading positions, the send bucket and activity: what a CURSOR holds and no clock orders.
import type { Bucket, Cursor } from '../domain/room.ts';
import { check, update, type Write } from './expressions.ts';
import { parseCursor } from './items.ts';
import { keys } from './keys.ts';
import { getItem } from './read.ts';
import type { Deadline, Table } from './table-port.ts';
import { transact, updateItem } from './write.ts';

/** A stay as a caller holds it: writes of another epoch, or after leaving, are refused. */
export interface Stay {
  readonly room: string;
  readonly no: number;
  readonly epoch: number;
}

const isCurrent = 'epoch = :epoch AND attribute_not_exists(hasLeft)';

export async function getCursor(
  table: Table,
  room: string,
  no: number,
): Promise<Cursor | undefined> {
  const item = await getItem(table, keys.cursor(room, no));
  return item === undefined ? undefined : parseCursor(item);
}

/**
 * Moves a position to `seq`, upward only. Gives the position as it then stands, or undefined if the
 * stay is over: left, removed, or continued from another conversation.
 */
export async function advancePosition(
  table: Table,
  deadline: Deadline,
  stay: Stay,
  seq: number,
): Promise<number | undefined> {
  const outcome = await updateItem(
    table,
    deadline,
    keys.cursor(stay.room, stay.no),
    { set: { readSeq: seq, lastActiveAt: table.nowMs() } },
    {
      expression: `#readSeq < :seq AND ${isCurrent}`,
      values: { ':seq': seq, ':epoch': stay.epoch },
    },
  );
  if ('item' in outcome) return parseCursor(outcome.item).readSeq;
  if (outcome.refused === undefined) return undefined;
  const cursor = parseCursor(outcome.refused);
  return cursor.epoch === stay.epoch && !cursor.hasLeft ? cursor.readSeq : undefined;
}

/**
 * Hands a batch over at most once: moves the position from `from` to `to` if it still stands there.
 *
 * A transaction although it is one item: its request token makes the repeat after a lost answer get
 * the first outcome. A plain conditional update would then find its own write and report a refusal,
 * and the batch would be gone for everybody.
 */
export async function consume(
  table: Table,
  deadline: Deadline,
  stay: Stay,
  from: number,
  to: number,
): Promise<boolean> {
  const refused = await transact(table, deadline, [
    update(
      'cursor',
      keys.cursor(stay.room, stay.no),
      { set: { readSeq: to, lastActiveAt: table.nowMs() } },
      {
        expression: `#readSeq = :from AND ${isCurrent}`,
        values: { ':from': from, ':epoch': stay.epoch },
      },
    ),
  ]);
  return refused.size === 0;
}

/**
 * Notes that the member was there at `atMs`; nothing happens if the stay is over or later is known.
 */
export async function touchMember(
  table: Table,
  deadline: Deadline,
  stay: Stay,
  atMs = table.nowMs(),
): Promise<void> {
  await updateItem(
    table,
    deadline,
    keys.cursor(stay.room, stay.no),
    { set: { lastActiveAt: atMs } },
    {
      expression: `#lastActiveAt < :at AND ${isCurrent}`,
      values: { ':at': atMs, ':epoch': stay.epoch },
    },
  );
}

/** Holds a transaction to a stay that still is as its caller holds it; refused as `stay`. */
export function checkStay({ room, no, epoch }: Stay): Write {
  return check('stay', keys.cursor(room, no), {
    expression: isCurrent,
    values: { ':epoch': epoch },
  });
}

/**
 * Charges a send inside its transaction, from the bucket as it was read: two sends of one member at
 * once cannot spend the same tokens. Refused as `cursor`.
 */
export function chargeBucket(stay: Stay, before: Bucket, after: Bucket, nowMs: number): Write {
  return update(
    'cursor',
    keys.cursor(stay.room, stay.no),
    { set: { tokens: after.tokens, bucketAt: after.at, lastActiveAt: nowMs } },
    {
      expression: `#tokens = :tokens AND #bucketAt = :at AND ${isCurrent}`,
      values: { ':tokens': before.tokens, ':at': before.at, ':epoch': stay.epoch },
    },
  );
}
