// What must hold after every commit of the table: violations, each under the name of its property.
import { parseClock, parseCursor, parseLogEntry } from '../../store/items.ts';
import { nameIn } from '../../store/keys.ts';
import { type Change, expiry } from '../dynamodb/memory-table.ts';
import { purger } from './fixture.ts';
import { kindOf, type Moment, never, type RoomState, roomOf, type Stay } from './replay.ts';

type Rule = (moment: Moment) => readonly string[];

/** The room that a commit is about, and its changes there. */
function roomChanges({ history, commit }: Moment): {
  room?: RoomState;
  changes: readonly Change[];
} {
  const changes = commit.changes.filter(({ key }) => kindOf(key.pk) === 'ROOM');
  const [first] = changes;
  return first === undefined
    ? { changes }
    : { room: roomOf(history, nameIn(first.key.pk)), changes };
}

const isHousekeeping = ({ commit: { by } }: Moment) => by === expiry || by === purger;
const presentIn = (room: RoomState): Stay[] =>
  [...room.stays.values()].filter(({ tenures }) => tenures.at(-1)?.until === never);

/** Every change of a room is the next tick of its clock, with one entry, written once. */
const dense: Rule = (moment) => {
  const { room, changes } = roomChanges(moment);
  if (room === undefined || isHousekeeping(moment)) return [];
  const found: string[] = [];
  const fresh: number[] = [];
  for (const { key, before, after } of changes) {
    if (kindOf(key.sk) !== 'LOG' || after === undefined) continue;
    const { seq, prevExpiresAt, expiresAt } = parseLogEntry(after);
    if (before !== undefined && parseLogEntry(before).createdAt === parseLogEntry(after).createdAt)
      continue;
    if (before !== undefined) found.push(`tick ${seq} was written twice`);
    const expected = room.said.get(seq - 1)?.entry.expiresAt ?? 0;
    if (prevExpiresAt !== expected) found.push(`tick ${seq} misnames its predecessor's expiry`);
    if (expiresAt < prevExpiresAt) found.push(`tick ${seq} expires before its predecessor`);
    fresh.push(seq);
  }
  const clock = changes.find(({ key }) => key.sk === 'CLOCK');
  if (clock?.after === undefined)
    return fresh.length > 0 ? [...found, 'an entry without a tick'] : found;
  const tick = parseClock(clock.after).tick;
  const last = clock.before === undefined ? 0 : parseClock(clock.before).tick;
  if (tick !== last && tick !== last + 1) found.push(`the clock went from ${last} to ${tick}`);
  const ticked = tick === last ? [] : [tick];
  if (fresh.join() !== ticked.join()) found.push(`tick ${tick} has the entries ${fresh.join()}`);
  return found;
};

/** Positions and epochs go up only, and no position passes the clock. */
const positions: Rule = (moment) => {
  const { room, changes } = roomChanges(moment);
  if (room === undefined || isHousekeeping(moment)) return [];
  return changes
    .filter(({ key }) => kindOf(key.sk) === 'CURSOR')
    .flatMap(({ before, after }) => {
      if (after === undefined) return ['a cursor was deleted'];
      const now = parseCursor(after);
      const past = before === undefined ? { readSeq: 0, epoch: 0 } : parseCursor(before);
      return [
        ...(now.readSeq < past.readSeq ? [`position ${past.readSeq} went to ${now.readSeq}`] : []),
        ...(now.epoch < past.epoch ? [`epoch ${past.epoch} went to ${now.epoch}`] : []),
        ...(now.readSeq > (room.clock?.tick ?? 0) ? ['a position passed the clock'] : []),
      ];
    });
};

/** Only whom a stay belongs to at that moment speaks, reads or is seen as it. */
const authority: Rule = (moment) => {
  const { room, changes } = roomChanges(moment);
  const { commit, at } = moment;
  if (room === undefined || isHousekeeping(moment) || room.clock?.deletedAt !== undefined)
    return [];
  const holds = (no: number) => {
    const tenures = room.stays.get(no)?.tenures ?? [];
    return tenures.some(({ by, from, until }) => by === commit.by && from <= at && until >= at);
  };
  return changes.flatMap(({ key, before, after }) => {
    if (after === undefined) return [];
    if (kindOf(key.sk) === 'LOG' && before === undefined) {
      const { kind, from, seq } = parseLogEntry(after);
      const isOwn = kind === 'text' || kind === 'intro' || kind === 'continuation';
      const acts = isOwn
        ? holds(from)
        : !commit.by.includes(':') || [...room.stays.keys()].some(holds);
      return acts ? [] : [`${commit.by} made the ${kind} of tick ${seq} without being in the room`];
    }
    if (kindOf(key.sk) !== 'CURSOR' || before === undefined) return [];
    const [past, now] = [parseCursor(before), parseCursor(after)];
    const isOthers = now.epoch !== past.epoch || now.hasLeft !== past.hasLeft;
    return isOthers || holds(now.no) ? [] : [`${commit.by} moved the cursor of ${now.no}`];
  });
};

/** A conversation backs one member at most, of all rooms. */
const oneRoom: Rule = ({ history }) => {
  const seen = new Set<string>();
  const found: string[] = [];
  for (const room of history.rooms.values()) {
    for (const { no, tenures } of presentIn(room)) {
      const { by = '', host = 'web' } = tenures.at(-1) ?? {};
      const seat = host === 'website' ? `${by} in ${room.id}` : by;
      if (seen.has(seat)) found.push(`${by} is a second member, ${no} of ${room.id}`);
      seen.add(seat);
    }
  }
  return found;
};

/** Addresses, site rows and counts say who is present, neither more nor less. */
const roster: Rule = (moment) => {
  const { room } = roomChanges(moment);
  if (room?.clock === undefined || room.clock.deletedAt !== undefined) return [];
  const present = presentIn(room);
  const named = present.map(({ no, member }) => `${member.handle}/${member.name}=${no}`);
  const listed = [...room.addresses].map(([address, no]) => `${address}=${no}`);
  const sites = present.filter(({ member }) => member.host === 'website');
  const { memberCount, presentCount } = room.clock;
  const found: string[] = [];
  if (named.toSorted().join() !== listed.toSorted().join()) {
    found.push(`present are ${named.toSorted().join()}, addresses are ${listed.toSorted().join()}`);
  }
  if (presentCount !== present.length || memberCount !== present.length - sites.length) {
    found.push(`${present.length} are present, counted are ${presentCount} and ${memberCount}`);
  }
  if ([...room.sites.values()].join() !== sites.map(({ no }) => no).join()) {
    found.push('site rows and website members differ');
  }
  return found;
};

/** Once deleted, a room only gets emptier. */
const deletion: Rule = (moment) => {
  const { room, changes } = roomChanges(moment);
  if (room?.clock?.deletedAt === undefined || isHousekeeping(moment)) return [];
  if (
    changes.some(({ key, before }) => key.sk === 'CLOCK' && before?.['deletedAt'] === undefined)
  ) {
    return [];
  }
  const kinds = changes.map(({ key }) => kindOf(key.sk));
  // A cursor may still move until it is erased: nobody can see it any more.
  const others = kinds.filter((kind) => kind !== 'CURSOR');
  return others.length > 0 ? [`${moment.commit.by} wrote ${others.join()} in a deleted room`] : [];
};

export const rules: Readonly<Record<string, Rule>> = {
  'dense log': dense,
  'positions go up': positions,
  authority,
  'one room': oneRoom,
  roster,
  deletion,
};
