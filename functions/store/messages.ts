// Bodies in partitions of their own, the idempotency guard that they are, tombstones and replies.
import type { MessageBody } from '../domain/room.ts';
import { packBody } from './body-codec.ts';
import type { Tick } from './change-room.ts';
import { put, update, type Write } from './expressions.ts';
import type { RawItem } from './failures.ts';
import { guardGraceS, parseBody } from './items.ts';
import { keys, ranges, replyIn, roomPartition } from './keys.ts';
import { getItem, getItems, queryAll } from './read.ts';
import type { Table } from './table-port.ts';

/** A message by ID, tombstones included; undefined if unknown or past its guard's time. */
export async function getMessage(table: Table, id: string): Promise<MessageBody | undefined> {
  const item = await getItem(table, keys.message(id));
  return item === undefined ? undefined : liveBody(table, item);
}

/** Messages by ID; a missing one is not visible yet, or gone. */
export async function getMessages(
  table: Table,
  ids: readonly string[],
): Promise<ReadonlyMap<string, MessageBody>> {
  const items = await getItems(table, ids.map(keys.message));
  return new Map(items.map((item) => parseBody(item)).map((body) => [body.id, body]));
}

function liveBody(table: Table, item: RawItem): MessageBody | undefined {
  const expiresAt = item['expiresAt'];
  const isGone = typeof expiresAt === 'number' && expiresAt * 1000 <= table.nowMs();
  return isGone ? undefined : parseBody(item);
}

/**
 * The body, once per message ID: its refusal (`message`) brings the first message of that ID. One
 * whose time is over but that was not swept yet does not count.
 */
export function putMessageOnce(
  message: Omit<MessageBody, 'seq' | 'expiresAt' | 'deletedAt'>,
  tick: Tick,
): Write {
  const { id, room, from, to, toRoom, dm, hash, body, meta } = message;
  return put(
    'message',
    {
      ...keys.message(id),
      room,
      seq: tick.seq,
      from,
      ...(to.length > 0 && { to: new Set(to) }),
      ...(toRoom && { toRoom }),
      ...(dm && { dm }),
      hash: Buffer.from(hash, 'hex'),
      ...packBody({ body, meta }),
      expiresAt: tick.expiresAt + guardGraceS,
    },
    {
      expression: 'attribute_not_exists(pk) OR expiresAt <= :nowS',
      values: { ':nowS': Math.floor(tick.nowMs / 1000) },
    },
  );
}

/** Marks that `no` answered message `seq`; a second answer changes nothing. */
export function putReply(room: string, seq: number, no: number, expiresAt: number): Write {
  return put('reply', { ...keys.reply(room, seq, no), expiresAt });
}

/** Numbers of the members that answered, by seq, for messages between two ticks. */
export async function listReplies(
  table: Table,
  room: string,
  from: number,
  to: number,
): Promise<ReadonlyMap<number, ReadonlySet<number>>> {
  const items = await queryAll(table, {
    pk: roomPartition(room),
    ...ranges.replies(from, to),
  });
  const replies = new Map<number, Set<number>>();
  for (const item of items) {
    const { seq, no } = replyIn(String(item['sk']));
    replies.set(seq, (replies.get(seq) ?? new Set()).add(no));
  }
  return replies;
}

/**
 * Turns a message into a tombstone: body and meta go at once, either `deletedAt` means deleted. The
 * header stays until it expires, and the guard with it, so no retry brings the message back.
 */
export function deleteMessage(
  message: Pick<MessageBody, 'id' | 'room' | 'seq'>,
  tick: Tick,
): readonly Write[] {
  const deletedAt = tick.nowMs;
  return [
    update('message', keys.message(message.id), {
      set: { deletedAt },
      remove: ['body', 'meta', 'packed'],
    }),
    update('header', keys.log(message.room, message.seq), { set: { deletedAt } }),
  ];
}
