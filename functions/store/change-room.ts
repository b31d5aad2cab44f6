// A room behaves like one single-threaded object: every change is one transaction that moves its
// clock from n to n+1, on the condition that it stood at n and the room is not deleted.
//
//   reads at n ──► rules ──► transaction: CLOCK n→n+1, LOG#n+1, and what the change writes
//                               │
//                               ├─ committed: nothing happened between, so what was read still held
//                               ├─ the clock moved: same roster → same proposal at the new tick;
//                               │                   another roster → read and decide again
//                               ├─ conflict: another commit was under way; look at the clock again
//                               └─ a write of the change's own was refused: `settle` may know the
//                                  answer (a repeat of the same message), else read again
//
// So capacity, membership and recipients need no guard of their own (docs/adr/0001). Reads at one
// clock are no snapshot, though: of a commit that is only half visible, they may show the clock and
// yet a member as it was. So a write over what was read is held to it (members.ts).
import { HubError } from '../../protocol/errors.ts';
import type { Clock, LogEntry, TimeS } from '../domain/room.ts';
import { put, update, type Write } from './expressions.ts';
import { isPassingRefusal, type Refusal } from './failures.ts';
import { keys } from './keys.ts';
import { createPace, type Pace } from './pace.ts';
import { getClock } from './rooms.ts';
import { type Deadline, hasTime, type Table } from './table-port.ts';
import { transactOnce } from './write.ts';

/** The tick a change would be. */
export interface Tick {
  readonly seq: number;
  readonly nowMs: number;
  /** Epoch seconds; never before that of any earlier entry, so expiry follows the log's order. */
  readonly expiresAt: number;
}

/** What one change wants to write, decided from reads made at one clock. */
export interface Proposal<Result> {
  /** Without `from` it comes from the member that this tick makes, whichever tick that will be. */
  readonly entry: Pick<LogEntry, 'kind'> &
    Partial<
      Pick<LogEntry, 'from' | 'id' | 'to' | 'toRoom' | 'dm' | 'replyTo' | 'fromHost' | 'bytes'>
    >;
  /** Changes who is here, under what name, or from which conversation. */
  readonly changesRoster?: boolean;
  /** Who comes (1) or goes (-1), and whether that takes or gives back a place. */
  readonly presence?: { readonly delta: 1 | -1; readonly takesPlace: boolean };
  /** Writes besides the clock and the log entry. */
  readonly writes: (tick: Tick) => readonly Write[];
  readonly result: (tick: Tick) => Result;
  /**
   * Looks at refused writes of its own: an outcome, a thrown HubError, or undefined = read again.
   */
  readonly settle?: (
    refused: ReadonlyMap<string, Refusal>,
  ) => { readonly outcome: Result } | undefined;
}

/** No change is wanted after all: the answer is known from the reads. */
export interface Settled<Result> {
  readonly outcome: Result;
}

/**
 * Changes a room. `propose` reads and decides; it runs again only when what it read may no longer
 * hold, or when it gives undefined: what it read is newer than the clock. Throws `not_in_room` once
 * the room is deleted, `unavailable` at the deadline.
 */
export async function changeRoom<Result>(
  table: Table,
  room: string,
  deadline: Deadline,
  first: Clock,
  propose: (clock: Clock) => Promise<Proposal<Result> | Settled<Result> | undefined>,
): Promise<Result> {
  const pace = createPace(table.tempo, first.presentCount, table.random);
  let clock = first;
  for (;;) {
    const read = clock;
    const proposal = await propose(clock);
    if (proposal === undefined) {
      clock = await nextClock(table, room, deadline, pace);
      continue;
    }
    if ('outcome' in proposal) return proposal.outcome;
    for (let holds = true; holds; ) {
      const tick = nextTick(clock, table.nowMs());
      const writes = [
        advanceClock(room, clock, proposal, tick),
        putEntry(room, proposal.entry, tick, clock.lastExpiresAt),
      ];
      const own = proposal.writes(tick);
      const refused = await transactOnce(table, deadline, [...writes, ...own]);
      if (refused.size === 0) return proposal.result(tick);

      const ownRefused = onlyConditions(refused, own);
      const settled = ownRefused.size > 0 ? proposal.settle?.(ownRefused) : undefined;
      if (settled !== undefined) return settled.outcome;
      clock = await nextClock(table, room, deadline, pace);
      holds = ownRefused.size === 0 && clock.rosterTick === read.rosterTick;
    }
  }
}

function nextTick(clock: Clock, nowMs: number): Tick {
  const expiresAt = Math.ceil(nowMs / 1000) + clock.retentionDays * 86_400;
  return { seq: clock.tick + 1, nowMs, expiresAt: Math.max(clock.lastExpiresAt, expiresAt) };
}

/** The condition that makes the room single-threaded; `deletedAt` shuts it for good. */
function advanceClock(room: string, clock: Clock, proposal: Proposal<unknown>, tick: Tick): Write {
  return update(
    'clock',
    keys.clock(room),
    {
      set: {
        tick: tick.seq,
        lastExpiresAt: tick.expiresAt,
        ...(proposal.changesRoster === true && { rosterTick: tick.seq }),
        ...counts(clock, proposal.presence),
      },
    },
    { expression: '#tick = :n AND attribute_not_exists(deletedAt)', values: { ':n': clock.tick } },
  );
}

function counts({ memberCount, presentCount }: Clock, presence: Proposal<unknown>['presence']) {
  if (presence === undefined) return {};
  const { delta, takesPlace } = presence;
  return {
    presentCount: presentCount + delta,
    memberCount: memberCount + (takesPlace ? delta : 0),
  };
}

/**
 * The log entry of a tick; `prevExpiresAt` is when the one before it may be gone. Unconditional:
 * whoever moved the clock to this tick owns its place in the log.
 */
export function putEntry(
  room: string,
  { to, ...entry }: Proposal<unknown>['entry'],
  tick: Tick,
  prevExpiresAt: TimeS,
): Write {
  return put('log', {
    ...keys.log(room, tick.seq),
    from: tick.seq,
    ...entry,
    ...(to !== undefined && to.length > 0 && { to: new Set(to) }),
    createdAt: tick.nowMs,
    expiresAt: tick.expiresAt,
    prevExpiresAt,
  });
}

function onlyConditions(
  refused: ReadonlyMap<string, Refusal>,
  own: readonly Write[],
): ReadonlyMap<string, Refusal> {
  const names = new Set(own.map((write) => write.name));
  return new Map(
    [...refused].filter(([name, refusal]) => names.has(name) && !isPassingRefusal(refusal)),
  );
}

/** Waits for a turn and gives the clock as it then stands, if it can just after it moved. */
async function nextClock(
  table: Table,
  room: string,
  deadline: Deadline,
  pace: Pace,
): Promise<Clock> {
  if (!hasTime(table, deadline)) {
    throw new HubError('unavailable', 'the room is too busy right now');
  }
  // Never past the deadline: whoever has time left tries again.
  const delayMs = Math.min(pace.delayMs(), (deadline.atMs - table.nowMs()) / 2);
  const clock = await watch(table, room, await waitTurn(table, room, pace, delayMs));
  pace.observe(clock.tick, table.nowMs());
  return clock;
}

async function waitTurn(table: Table, room: string, pace: Pace, delayMs: number): Promise<Clock> {
  const { timing, typicalMs } = table.tempo;
  let restMs = delayMs;
  let tick: number | undefined;
  for (;;) {
    const stepMs = Math.min(restMs, timing.wait * typicalMs());
    await table.sleep(stepMs);
    const clock = await liveClock(table, room);
    restMs -= stepMs;
    if (restMs <= 0) return clock;
    if (clock.tick === tick) restMs = pace.shorten(restMs);
    tick = clock.tick;
  }
}

/** Looks until the clock moves, or has stood still for long enough to be free. */
async function watch(table: Table, room: string, from: Clock): Promise<Clock> {
  const { timing, typicalMs } = table.tempo;
  let clock = from;
  for (let looks = 0; looks < timing.looks && clock.tick === from.tick; looks += 1) {
    await table.sleep(timing.watch * typicalMs());
    clock = await liveClock(table, room);
  }
  return clock;
}

async function liveClock(table: Table, room: string): Promise<Clock> {
  const clock = await getClock(table, room);
  if (clock === undefined || clock.deletedAt !== undefined) {
    throw new HubError('not_in_room', 'this room does not exist any more');
  }
  return clock;
}
