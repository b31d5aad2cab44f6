// Telling the links of one room what waits: one walk, one frame per link with the newest state.
//
// A frame is a hint. Whoever is not told now is told by the next message, by its own next state
// frame, or finds its mail by reading; so nothing here is remembered, and repeating it is harmless.
import type { HubFrame } from '../../../protocol/frames.ts';
import { isAddressedTo } from '../../domain/recipients.ts';
import type { Clock, Cursor, Link, LogEntry } from '../../domain/room.ts';
import { countLimit, countUnread, isMailFor, type UnreadCount } from '../../domain/unread.ts';
import { listLinks } from '../../store/links.ts';
import { getLogEntries, walkLog } from '../../store/log.ts';
import { getCursors, getMembers } from '../../store/members.ts';
import { getClock } from '../../store/rooms.ts';
import { unreadOf } from '../mail.ts';
import { addressesOf } from '../message-views.ts';
import { endLink, forgetLink, type LinkHub } from './connections.ts';
import { eachInTurn } from './each-in-turn.ts';

/** What the stream told of one room. */
export interface RoomNews {
  readonly room: string;
  /** Ticks of new log entries. */
  readonly seqs: readonly number[];
  /** Members whose link was written; `all` after a delay, when nobody knows any more whose. */
  readonly links: readonly number[] | 'all';
}

/** The room's news are not all visible, or took too long: to be tried again later. */
export class NotYet extends Error {
  override readonly name = 'NotYet';
}

/** A post to a connection whose `$connect` has not returned answers "gone" as well. */
const connectingMs = 10_000;
const tornPollMs = 40;

/** Tells whom the news concern; gives the number of frames sent. Throws NotYet after `untilMs`. */
export async function notifyRoom(hub: LinkHub, news: RoomNews, untilMs: number): Promise<number> {
  const clock = await getClock(hub.table, news.room);
  if (clock === undefined || clock.deletedAt !== undefined) return 0;
  const links = await currentLinks(hub, news.room);
  if (links.length === 0) return 0;
  const entries = await visibleEntries(hub, news, untilMs);
  const told = links.filter(({ link }) => concerns(news, entries, link.no));
  const unread = await unreadOfAll(hub, news.room, clock, told, untilMs);
  const names = await namesOf(hub, news.room, unread);
  const frames = told.flatMap(({ link }) => {
    const count = unread.get(link.no);
    const isRefresh = entries.some((entry) => isDeletionFor(entry, link.no));
    if (count === undefined && !isRefresh) return [];
    return [{ link, frame: frameOf(count, names) }];
  });
  await eachInTurn(frames, ({ link, frame }) => tell(hub, news.room, link, frame));
  return frames.length;
}

/** A link and where its member's reading stands. */
interface Listener {
  readonly link: Link;
  readonly cursor: Cursor;
}

/** Links of present members in their current conversation; the others are ended on the way. */
async function currentLinks(hub: LinkHub, room: string): Promise<readonly Listener[]> {
  const links = await listLinks(hub.table, room);
  const cursors = await getCursors(
    hub.table,
    room,
    links.map(({ no }) => no),
  );
  const cursorOf = new Map(cursors.map((cursor) => [cursor.no, cursor]));
  const current: Listener[] = [];
  await eachInTurn(links, async (link) => {
    const cursor = cursorOf.get(link.no);
    const address = { room, no: link.no, connection: link.connection };
    if (cursor === undefined || cursor.hasLeft) return endLink(hub, address, 'not_in_room');
    if (cursor.epoch !== link.epoch) return endLink(hub, address, 'rebound');
    current.push({ link, cursor });
  });
  return current;
}

/** The entries the stream told of; each of them is committed, so a missing one is waited for. */
async function visibleEntries(
  { table }: LinkHub,
  { room, seqs }: RoomNews,
  untilMs: number,
): Promise<readonly LogEntry[]> {
  for (;;) {
    const entries = await getLogEntries(table, room, seqs);
    if (entries.length === seqs.length) return entries;
    // Expired or purged entries never come; waiting for them ends with the room's time.
    if (table.nowMs() >= untilMs) return entries;
    await table.sleep(tornPollMs);
  }
}

function concerns(news: RoomNews, entries: readonly LogEntry[], no: number): boolean {
  if (news.links === 'all' || news.links.includes(no)) return true;
  return entries.some(
    (entry) => (entry.kind === 'text' && isAddressedTo(entry, no)) || isDeletionFor(entry, no),
  );
}

/** A deletion is addressed like the message it ended: its recipients may have less to read now. */
function isDeletionFor(entry: LogEntry, no: number): boolean {
  return entry.kind === 'deletion' && isAddressedTo(entry, no);
}

/**
 * One walk from the lowest position; a backlog longer than the walk is counted member by member.
 */
async function unreadOfAll(
  hub: LinkHub,
  room: string,
  clock: Clock,
  told: readonly Listener[],
  untilMs: number,
): Promise<ReadonlyMap<number, UnreadCount>> {
  const unread = new Map<number, UnreadCount>();
  if (told.length === 0) return unread;
  const { table } = hub;
  const lowest = Math.min(...told.map(({ cursor }) => cursor.readSeq));
  const walk = await walkLog(table, room, clock, lowest, countLimit);
  if (walk.end === 'torn') {
    if (table.nowMs() >= untilMs) throw new NotYet();
    await table.sleep(tornPollMs);
    return unreadOfAll(hub, room, clock, told, untilMs);
  }
  for (const { cursor } of told) {
    const { no, readSeq } = cursor;
    const mail = walk.entries.filter(
      (entry) => entry.seq > readSeq && isMailFor(entry, no, table.nowMs()),
    );
    const count =
      walk.end === 'clock' ? countUnread(mail) : await unreadOf(hub, clock, { room, no, readSeq });
    if (count !== undefined) unread.set(no, count);
  }
  return unread;
}

async function namesOf({ table }: LinkHub, room: string, unread: ReadonlyMap<number, UnreadCount>) {
  const senders = new Set([...unread.values()].flatMap(({ from }) => from));
  const members = await getMembers(table, room, [...senders]);
  return new Map(members.map((member) => [member.no, member]));
}

function frameOf(
  count: UnreadCount | undefined,
  names: Parameters<typeof addressesOf>[1],
): HubFrame {
  if (count === undefined) return { t: 'notify', unread: 0, upTo: 0, from: [] };
  const { unread, upTo, from } = count;
  return { t: 'notify', unread, upTo, from: addressesOf(from, names) };
}

async function tell(hub: LinkHub, room: string, link: Link, frame: HubFrame): Promise<void> {
  const outcome = await hub.connections.post(link.connection, frame);
  // Too young to be gone: its first state frame asks again once `$connect` has returned.
  if (outcome === 'sent' || hub.table.nowMs() - link.connectedAt < connectingMs) return;
  await forgetLink(hub.table, room, link);
}
