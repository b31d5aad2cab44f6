// Erasing a deleted room, item by item, in an order that a crash at any point can be resumed from.
//
// What points outwards goes first and its pointer last: a body before its header, an account's rows
// before the member that names them. META and CLOCK stay as tombstones, so the ID is never reused.
import { DeleteCommand } from '@aws-sdk/lib-dynamodb';
import type { Member } from '../domain/room.ts';
import { type RawItem, refusedCondition } from './failures.ts';
import { parseLogEntry, parseMember } from './items.ts';
import { type Key, keys, lastTick, ranges, roomPartition } from './keys.ts';
import { queryPage, type Range } from './read.ts';
import { getRoomMeta } from './rooms.ts';
import type { Table } from './table-port.ts';

/** Items of one step; a step's writes run side by side. */
const stepItems = 25;

/** Erases until `hasTime` says stop. True once only the tombstones are left. */
export async function purgeRoom(
  table: Table,
  room: string,
  hasTime: () => boolean,
): Promise<boolean> {
  const meta = await getRoomMeta(table, room);
  if (meta?.deletedAt === undefined) return true;
  await erase(table, keys.accountRoom(meta.owner, room));
  const pk = roomPartition(room);
  const isLogGone = await drain(table, { pk, ...ranges.log(0, lastTick) }, hasTime, (item) =>
    eraseEntry(table, room, item),
  );
  if (!isLogGone) return false;
  const areMembersGone = await drain(table, { pk, ...ranges.members }, hasTime, (item) =>
    eraseMember(table, room, parseMember(item)),
  );
  if (!areMembersGone) return false;
  // META and CLOCK lie among what is left; collections by name are what is neither.
  for (const range of [
    ranges.addresses,
    ranges.cursors,
    ranges.links,
    ranges.allReplies,
    ranges.sites,
  ]) {
    const isGone = await drain(table, { pk, ...range }, hasTime, (item) =>
      erase(table, keyOf(item)),
    );
    if (!isGone) return false;
  }
  return true;
}

/** Erases the items of a range step by step; false when time was up first. */
async function drain(
  table: Table,
  range: Range,
  hasTime: () => boolean,
  eraseItem: (item: RawItem) => Promise<void>,
): Promise<boolean> {
  for (;;) {
    const { items } = await queryPage(table, range, { limit: stepItems });
    if (items.length === 0) return true;
    if (!hasTime()) return false;
    await Promise.all(items.map(eraseItem));
  }
}

async function eraseEntry(table: Table, room: string, item: RawItem): Promise<void> {
  const { id } = parseLogEntry(item);
  // The ID may serve another room by now, if this header expired long ago and was never swept.
  if (id !== undefined) await erase(table, keys.message(id), { room });
  await erase(table, keyOf(item));
}

async function eraseMember(table: Table, room: string, member: Member): Promise<void> {
  const { no, account, host, conversation } = member;
  await Promise.all([
    erase(table, keys.accountRoom(account, room)),
    erase(table, keys.conversation(account, host, conversation), { room, no }),
    erase(table, keys.link(room, no)),
    erase(table, keys.cursor(room, no)),
  ]);
  await erase(table, keys.member(room, no));
}

/** Deletes an item, if it is still the one meant; one that is gone already is fine. */
async function erase(
  table: Table,
  key: Key,
  only?: Readonly<Record<string, unknown>>,
): Promise<void> {
  const fields = Object.entries(only ?? {});
  try {
    await table.client.send(
      new DeleteCommand({
        TableName: table.name,
        Key: key,
        ...(fields.length > 0 && {
          ConditionExpression: fields.map(([name]) => `#${name} = :${name}`).join(' AND '),
          ExpressionAttributeNames: Object.fromEntries(fields.map(([name]) => [`#${name}`, name])),
          ExpressionAttributeValues: Object.fromEntries(
            fields.map(([name, value]) => [`:${name}`, value]),
          ),
        }),
      }),
    );
  } catch (error) {
    if (refusedCondition(error) === undefined) throw error;
  }
}

function keyOf(item: RawItem): Key {
  return { pk: String(item['pk']), sk: String(item['sk']) };
}
