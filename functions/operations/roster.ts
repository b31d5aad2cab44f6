// Members as callers see them: presence, addresses, and how much of mine each has not read.
import { formatAddress } from '../../protocol/ids.ts';
import type { MemberView, RecipientView } from '../../protocol/nouns.ts';
import { presenceOf } from '../domain/presence.ts';
import { recipientsOf } from '../domain/recipients.ts';
import type { Clock, Cursor, Link, LogEntry, Member } from '../domain/room.ts';
import { countLimit, isMailFor } from '../domain/unread.ts';
import { getLinks, listLinks } from '../store/links.ts';
import { lookBack } from '../store/log.ts';
import { getCursors, getMembers, listCursors, listMembers } from '../store/members.ts';
import type { Hub, MemberSeat, ObserverSeat } from './hub.ts';

/** Three queries over so many members cost about as much as the three items of one. */
const membersPerLookup = 8;

/** A member with what its presence derives from. */
export interface RosterEntry {
  readonly member: Member;
  readonly cursor: Cursor;
  readonly link: Link | undefined;
}

/** Everybody live messages can name, by number, also those that left. */
export async function readRoster(hub: Hub, room: string): Promise<readonly RosterEntry[]> {
  return zip(
    ...(await Promise.all([
      listMembers(hub.table, room),
      listCursors(hub.table, room),
      listLinks(hub.table, room),
    ])),
  );
}

async function readEntries(
  hub: Hub,
  clock: Clock,
  room: string,
  numbers: readonly number[],
): Promise<readonly RosterEntry[]> {
  if (numbers.length === 0) return [];
  // Three items of one are never dearer: queries also read whoever left.
  if (numbers.length > 1 && numbers.length * membersPerLookup >= clock.presentCount) {
    return readRoster(hub, room);
  }
  return zip(
    ...(await Promise.all([
      getMembers(hub.table, room, numbers),
      getCursors(hub.table, room, numbers),
      getLinks(hub.table, room, numbers),
    ])),
  );
}

function zip(
  members: readonly Member[],
  cursors: readonly Cursor[],
  links: readonly Link[],
): readonly RosterEntry[] {
  const cursorOf = new Map(cursors.map((cursor) => [cursor.no, cursor]));
  const linkOf = new Map(links.map((link) => [link.no, link]));
  return members.flatMap((member) => {
    const cursor = cursorOf.get(member.no);
    return cursor === undefined ? [] : [{ member, cursor, link: linkOf.get(member.no) }];
  });
}

/** Present members in order of joining. */
export function presentOf(roster: readonly RosterEntry[]): readonly RosterEntry[] {
  return roster
    .filter(({ member, cursor }) => member.leftTick === undefined && !cursor.hasLeft)
    .sort((a, b) => a.member.no - b.member.no);
}

/** A message's recipients with their presence as of now. */
export async function recipientViews(
  hub: Hub,
  clock: Clock,
  room: string,
  message: Pick<LogEntry, 'seq' | 'from' | 'to' | 'toRoom'>,
): Promise<RecipientView[]> {
  const entries = message.toRoom
    ? await readRoster(hub, room)
    : await readEntries(hub, clock, room, message.to);
  const entryOf = new Map(entries.map((entry) => [entry.member.no, entry]));
  const everyone = entries.map(({ member }) => member);
  return recipientsOf(message, everyone).flatMap((no) => {
    const entry = entryOf.get(no);
    return entry === undefined ? [] : [recipientView(hub, entry)];
  });
}

function recipientView(hub: Hub, { member, cursor, link }: RosterEntry): RecipientView {
  const { host } = member;
  const { lastActiveAt, epoch, hasLeft } = cursor;
  return {
    ...presenceOf(
      { host, lastActiveAt, epoch, hasLeft, link },
      hub.table.nowMs(),
      hub.policy.pullOnlineMs,
    ),
    address: formatAddress(member),
  };
}

/** The member list of a room as this caller sees it. */
export async function memberViews(
  hub: Hub,
  clock: Clock,
  seat: Pick<MemberSeat, 'kind' | 'room' | 'no'> | ObserverSeat,
): Promise<MemberView[]> {
  const present = presentOf(await readRoster(hub, seat.room));
  const mine = new Set(seat.kind === 'member' ? [seat.no] : seat.stays);
  const unread = await unreadFrom(hub, clock, seat.room, mine, present);
  return present.map((entry) => ({
    ...recipientView(hub, entry),
    host: entry.member.host,
    workspace: { repo: entry.member.repo, branch: entry.member.branch },
    intro: entry.member.intro,
    joinedAt: entry.member.joinedAt,
    unreadFromMe: unread.get(entry.member.no) ?? 0,
    me: seat.kind === 'member' && entry.member.no === seat.no,
    ...(seat.kind === 'observer' && { owned: mine.has(entry.member.no) }),
  }));
}

/** How many messages of `mine` each present member has not read, from the newest entries back. */
async function unreadFrom(
  hub: Hub,
  clock: Clock,
  room: string,
  mine: ReadonlySet<number>,
  present: readonly RosterEntry[],
): Promise<ReadonlyMap<number, number>> {
  const counts = new Map<number, number>();
  if (mine.size === 0 || present.length === 0) return counts;
  const oldest = Math.min(...present.map(({ cursor }) => cursor.readSeq)) + 1;
  const { entries } = await lookBack(hub.table, room, clock.tick + 1, {
    oldest,
    limit: countLimit,
  });
  for (const entry of entries.filter(({ from }) => mine.has(from))) {
    for (const { member, cursor } of present) {
      if (entry.seq <= cursor.readSeq || !isMailFor(entry, member.no, hub.table.nowMs())) continue;
      counts.set(member.no, (counts.get(member.no) ?? 0) + 1);
    }
  }
  return counts;
}
