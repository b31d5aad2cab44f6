// Messages as callers see them: headers from the log, bodies from their partitions, current names.
import { formatAddress } from '../../protocol/ids.ts';
import type { MessageView, Unread } from '../../protocol/nouns.ts';
import { recipientsOf } from '../domain/recipients.ts';
import type { LogEntry, Member, MessageBody } from '../domain/room.ts';
import type { UnreadCount } from '../domain/unread.ts';
import { getMembers, listMembers } from '../store/members.ts';
import { getMessages } from '../store/messages.ts';
import type { Stored } from './hub.ts';

/** Members by number. */
export type Names = ReadonlyMap<number, Member>;

/** Reads the members that entries and counts name; a message to the room names everyone in it. */
export async function readNames(
  hub: Stored,
  room: string,
  entries: readonly LogEntry[],
  others: readonly number[] = [],
): Promise<Names> {
  const members = entries.some(({ toRoom }) => toRoom)
    ? await listMembers(hub.table, room)
    : await getMembers(hub.table, room, [
        ...new Set([...entries.flatMap(({ from, to }) => [from, ...to]), ...others]),
      ]);
  return new Map(members.map((member) => [member.no, member]));
}

/** Bodies of the live messages among `entries`; one that is absent is not visible yet. */
export async function readBodies(
  hub: Stored,
  entries: readonly LogEntry[],
): Promise<ReadonlyMap<string, MessageBody>> {
  const ids = entries.flatMap(({ id, deletedAt }) =>
    id === undefined || deletedAt !== undefined ? [] : [id],
  );
  return ids.length === 0 ? new Map() : getMessages(hub.table, ids);
}

/** True if a live message's body is not visible yet. */
export function isTorn(entry: LogEntry, bodies: ReadonlyMap<string, MessageBody>): boolean {
  return entry.deletedAt === undefined && entry.id !== undefined && !bodies.has(entry.id);
}

/** One message; undefined for an entry that is none, or whose sender storage has forgotten. */
export function messageView(
  entry: LogEntry,
  bodies: ReadonlyMap<string, MessageBody>,
  names: Names,
): MessageView | undefined {
  const { id, kind, fromHost } = entry;
  const sender = names.get(entry.from);
  if (id === undefined || (kind !== 'text' && kind !== 'intro') || sender === undefined) {
    return undefined;
  }
  const body = bodies.get(id);
  const deletedAt = entry.deletedAt ?? body?.deletedAt;
  const isLive = deletedAt === undefined;
  return {
    id,
    seq: entry.seq,
    from: formatAddress(sender),
    fromHost: fromHost ?? sender.host,
    visibility: entry.dm ? 'dm' : 'room',
    to: addressesOf(recipientsOf(entry, inOrder(names)), names),
    toRoom: entry.toRoom,
    ...(entry.replyTo !== undefined && { replyTo: entry.replyTo }),
    kind,
    body: isLive ? (body?.body ?? '') : '',
    ...(isLive && body?.meta !== undefined && { meta: { ...body.meta } }),
    createdAt: entry.createdAt,
    ...(!isLive && { deletedAt }),
  };
}

/** Addresses as the members are named now. */
export function addressesOf(numbers: readonly number[], names: Names): string[] {
  return numbers.flatMap((no) => {
    const member = names.get(no);
    return member === undefined ? [] : [formatAddress(member)];
  });
}

/** The wire's count: addresses for numbers; null when nothing is unread. */
export function unreadView(count: UnreadCount | undefined, names: Names): Unread | null {
  if (count === undefined) return null;
  return { unread: count.unread, upTo: count.upTo, from: addressesOf(count.from, names) };
}

function inOrder(names: Names): Member[] {
  return [...names.values()].sort((a, b) => a.no - b.no);
}
