// The table's history, replayed commit by commit: who was in which room when, and what was said.
import type { Clock, Cursor, LogEntry, Member } from '../../domain/room.ts';
import {
  parseAddress,
  parseBody,
  parseClock,
  parseCursor,
  parseLogEntry,
  parseMember,
} from '../../store/items.ts';
import { nameIn } from '../../store/keys.ts';
import type { Item } from '../dynamodb/expressions.ts';
import type { Change, Commit } from '../dynamodb/memory-table.ts';
import { nameOf } from './observations.ts';

/** From which to which commit a conversation backed a stay; the first one made it so. */
export interface Tenure {
  readonly by: string;
  readonly host: Member['host'];
  readonly from: number;
  until: number;
}

/** One member from joining to leaving, whatever conversation backed it. */
export interface Stay {
  readonly room: string;
  readonly no: number;
  member: Member;
  readonly tenures: Tenure[];
  leftTick: number | undefined;
}

/** An entry as it was committed. */
export interface Said {
  readonly entry: LogEntry;
  readonly commit: number;
  readonly by: string;
}

/** From which to which commit an address led to a member. */
export interface Naming {
  readonly address: string;
  readonly no: number;
  readonly from: number;
  until: number;
}

export interface RoomState {
  readonly id: string;
  clock: Clock | undefined;
  readonly said: Map<number, Said>;
  readonly stays: Map<number, Stay>;
  readonly cursors: Map<number, Cursor>;
  readonly addresses: Map<string, number>;
  readonly namings: Naming[];
  readonly sites: Map<string, number>;
}

export interface History {
  readonly rooms: Map<string, RoomState>;
  /** Bodies by message ID, as they were first stored. */
  readonly bodies: Map<string, string>;
  readonly deleted: Set<string>;
}

/** What a rule looks at: the state after one commit. */
export interface Moment {
  readonly history: History;
  readonly commit: Commit;
  readonly at: number;
}

/** Stands for "not over yet". */
export const never = Number.POSITIVE_INFINITY;

type Parsed<Parse> = { readonly before?: Parse; readonly after?: Parse };

const both = <Parse>({ before, after }: Change, parse: (item: Item) => Parse): Parsed<Parse> => ({
  ...(before !== undefined && { before: parse(before) }),
  ...(after !== undefined && { after: parse(after) }),
});

type Apply = (room: RoomState, change: Change, moment: Moment) => void;

const applyInRoom: Readonly<Record<string, Apply>> = {
  META: () => undefined,
  CLOCK: (room, change, { at }) => {
    room.clock = both(change, parseClock).after;
    if (room.clock?.deletedAt === undefined) return;
    for (const stay of room.stays.values()) endTenure(stay, at);
  },
  LOG: (room, change, { commit, at }) => {
    const { before, after } = both(change, parseLogEntry);
    if (before !== undefined || after === undefined) return;
    room.said.set(after.seq, { entry: after, commit: at, by: commit.by });
  },
  MEMBER: (room, change, { at }) => {
    const { after } = both(change, parseMember);
    if (after === undefined) return;
    const stay = room.stays.get(after.no) ?? {
      ...{ room: room.id, no: after.no, member: after, tenures: [], leftTick: undefined },
    };
    room.stays.set(after.no, stay);
    stay.member = after;
    stay.leftTick = after.leftTick;
    const { host } = after;
    const by = nameOf(after);
    if (stay.tenures.at(-1)?.by !== by) {
      endTenure(stay, at);
      stay.tenures.push({ by, host, from: at, until: never });
    }
    if (after.leftTick !== undefined) endTenure(stay, at);
  },
  CURSOR: (room, change) => {
    const { after } = both(change, parseCursor);
    if (after !== undefined) room.cursors.set(after.no, after);
  },
  ADDRESS: (room, { key, after }, { at }) => {
    const address = nameIn(key.sk);
    const last = room.namings.findLast((naming) => naming.address === address);
    if (last?.until === never) last.until = at;
    room.addresses.delete(address);
    if (after === undefined) return;
    const { no } = parseAddress(after);
    room.addresses.set(address, no);
    room.namings.push({ address, no, from: at, until: never });
  },
  SITE: (room, { key, after }) => {
    if (after === undefined) room.sites.delete(nameIn(key.sk));
    else room.sites.set(nameIn(key.sk), parseAddress(after).no);
  },
  REPLY: () => undefined,
};

function endTenure(stay: Stay, at: number): void {
  const last = stay.tenures.at(-1);
  if (last?.until === never) last.until = at;
}

function applyBody(history: History, change: Change): void {
  const { after } = both(change, parseBody);
  if (after === undefined) return;
  if (after.deletedAt !== undefined) history.deleted.add(after.id);
  else history.bodies.set(after.id, after.body);
}

/** The part of a key before its first `#`. */
export const kindOf = (key: string) => key.split('#')[0] ?? '';

function apply(change: Change, moment: Moment): void {
  const { key } = change;
  if (kindOf(key.pk) === 'MESSAGE') applyBody(moment.history, change);
  if (kindOf(key.pk) !== 'ROOM') return;
  applyInRoom[kindOf(key.sk)]?.(roomOf(moment.history, nameIn(key.pk)), change, moment);
}

export function roomOf({ rooms }: History, id: string): RoomState {
  const known = rooms.get(id) ?? {
    ...{ id, clock: undefined, said: new Map(), stays: new Map(), cursors: new Map() },
    ...{ addresses: new Map(), namings: [], sites: new Map() },
  };
  rooms.set(id, known);
  return known;
}

/** Replays all commits; `look` sees the state after each. */
export function replay(commits: readonly Commit[], look: (moment: Moment) => void): History {
  const history: History = { rooms: new Map(), bodies: new Map(), deleted: new Set() };
  for (const [at, commit] of commits.entries()) {
    const moment = { history, commit, at };
    for (const change of commit.changes) apply(change, moment);
    look(moment);
  }
  return history;
}

/** Who receives a message, recomputed from the history alone. */
export function receivers(room: RoomState, { entry }: Said): readonly number[] {
  if (!entry.toRoom) return entry.to;
  return [...room.stays.values()]
    .filter(({ no }) => no < entry.seq && no !== entry.from)
    .filter(({ leftTick }) => leftTick === undefined || leftTick > entry.seq)
    .map(({ no }) => no);
}
