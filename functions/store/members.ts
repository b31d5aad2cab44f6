// Members, their addresses and what they are reached by: the roster of a room.
import type { Cursor, Member } from '../domain/room.ts';
import type { Tick } from './change-room.ts';
import { type Condition, put, remove, update, type Write } from './expressions.ts';
import { parseAddress, parseCursor, parseMember, parseSite } from './items.ts';
import { keys, nameIn, ranges, roomPartition } from './keys.ts';
import { getItem, getItems, queryAll } from './read.ts';
import type { Table } from './table-port.ts';

/** What a member that left leaves behind stays a day longer than the last message naming it. */
export const departedGraceS = 86_400;

/** A member by number, also one that left. */
export async function getMember(
  table: Table,
  room: string,
  no: number,
): Promise<Member | undefined> {
  const item = await getItem(table, keys.member(room, no));
  return item === undefined ? undefined : parseMember(item);
}

/** Members by number, also those that left. */
export async function getMembers(
  table: Table,
  room: string,
  numbers: readonly number[],
): Promise<readonly Member[]> {
  const items = await getItems(
    table,
    numbers.map((no) => keys.member(room, no)),
  );
  return items.map(parseMember);
}

/** Everybody a live message can name, in order of joining, also those that left. */
export async function listMembers(table: Table, room: string): Promise<readonly Member[]> {
  const items = await queryAll(table, { pk: roomPartition(room), ...ranges.members });
  return items.map(parseMember);
}

/** Number of each present address among `addresses`. */
export async function getNumbersOfAddresses(
  table: Table,
  room: string,
  addresses: readonly string[],
): Promise<ReadonlyMap<string, number>> {
  const items = await getItems(
    table,
    addresses.map((address) => keys.address(room, address)),
  );
  return new Map(items.map((item) => [nameIn(String(item['sk'])), parseAddress(item).no]));
}

/** Number of every present address. */
export async function listAddresses(
  table: Table,
  room: string,
): Promise<ReadonlyMap<string, number>> {
  const items = await queryAll(table, { pk: roomPartition(room), ...ranges.addresses });
  return new Map(items.map((item) => [nameIn(String(item['sk'])), parseAddress(item).no]));
}

/** The account's present website member: number and epoch. */
export async function getSiteMember(
  table: Table,
  room: string,
  account: string,
): Promise<{ readonly no: number; readonly epoch: number } | undefined> {
  const item = await getItem(table, keys.siteMember(room, account));
  return item === undefined ? undefined : parseSite(item);
}

/** Positions and activity by number. */
export async function getCursors(
  table: Table,
  room: string,
  numbers: readonly number[],
): Promise<readonly Cursor[]> {
  const items = await getItems(
    table,
    numbers.map((no) => keys.cursor(room, no)),
  );
  return items.map(parseCursor);
}

export async function listCursors(table: Table, room: string): Promise<readonly Cursor[]> {
  const items = await queryAll(table, { pk: roomPartition(room), ...ranges.cursors });
  return items.map(parseCursor);
}

/** Two members never share a name, nor an account two website members. */
const isFree: Condition = { expression: 'attribute_not_exists(pk)' };

/**
 * The member as it was read. The clock alone does not hold it: of a commit that is only half
 * visible, a reader may see the new clock and the member as it was before.
 */
function asRead({ name, host, conversation }: Member): Condition {
  return {
    expression:
      '#name = :name AND #host = :host AND #conversation = :conversation AND attribute_not_exists(leftTick)',
    names: { '#name': 'name', '#host': 'host', '#conversation': 'conversation' },
    values: { ':name': name, ':host': host, ':conversation': conversation },
  };
}

/** A new stay: MEMBER, CURSOR at the present, ADDRESS, and SITE for a website member. */
export function putMember(
  room: string,
  member: Omit<Member, 'no' | 'leftTick' | 'joinedAt'>,
  bucket: Cursor['bucket'],
  tick: Tick,
): readonly Write[] {
  const no = tick.seq;
  const address = `${member.handle}/${member.name}`;
  return [
    put('member', { ...keys.member(room, no), ...member, joinedAt: tick.nowMs }),
    put('cursor', {
      ...keys.cursor(room, no),
      readSeq: no,
      epoch: 0,
      lastActiveAt: tick.nowMs,
      tokens: bucket.tokens,
      bucketAt: bucket.at,
    }),
    put('address', { ...keys.address(room, address), no }, isFree),
    ...(member.host === 'website'
      ? [put('site', { ...keys.siteMember(room, member.account), no, epoch: 0 }, isFree)]
      : []),
  ];
}

/** Moves a member to another name: its messages show the new one from then on. */
export function renameMember(room: string, member: Member, name: string): readonly Write[] {
  return [
    update('member', keys.member(room, member.no), { set: { name } }, asRead(member)),
    remove('oldAddress', keys.address(room, `${member.handle}/${member.name}`)),
    put('address', { ...keys.address(room, `${member.handle}/${name}`), no: member.no }, isFree),
  ];
}

/**
 * Re-points a member at another conversation. The epoch is what stops the former one: each of its
 * writes is conditioned on the epoch it started with.
 */
export function continueMember(
  room: string,
  member: Member,
  to: Pick<Member, 'host' | 'conversation' | 'repo' | 'branch' | 'intro'>,
  epoch: number,
  tick: Tick,
): readonly Write[] {
  const { host, conversation, repo, branch, intro } = to;
  const set = { host, conversation, repo, branch, intro };
  return [
    update('member', keys.member(room, member.no), { set }, asRead(member)),
    update(
      'cursor',
      keys.cursor(room, member.no),
      { set: { epoch, lastActiveAt: tick.nowMs } },
      { expression: '#epoch = :before', values: { ':before': epoch - 1 } },
    ),
  ];
}

/**
 * Ends a stay. The bucket stays frozen in the CURSOR for a rejoin within minutes; the intro, which
 * nobody is shown any more, is not kept: every list of members reads what is.
 */
export function endMember(room: string, member: Member, tick: Tick): readonly Write[] {
  const expiresAt = tick.expiresAt + departedGraceS;
  return [
    update(
      'member',
      keys.member(room, member.no),
      { set: { leftTick: tick.seq, intro: '', expiresAt } },
      asRead(member),
    ),
    update('cursor', keys.cursor(room, member.no), {
      set: { hasLeft: true, lastActiveAt: tick.nowMs, expiresAt },
    }),
    remove('address', keys.address(room, `${member.handle}/${member.name}`)),
    ...(member.host === 'website' ? [remove('site', keys.siteMember(room, member.account))] : []),
  ];
}

/** Blanks the intro of a member whose intro message was deleted, unless it is another by now. */
export function blankIntro(room: string, { no, intro }: Member): Write {
  const isSame = { expression: '#intro = :intro', values: { ':intro': intro } };
  return update('member', keys.member(room, no), { set: { intro: '' } }, isSame);
}
