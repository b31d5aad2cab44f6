// Walking a room's dense log: one tick, one entry.
//
// A Query is read-committed only: it can show entry n+1 and not yet n of two commits that have both
// happened. A reader that moved its position past n would lose that mail for ever. So an ascending
// walk ends before a missing tick, unless the tick is missing because it expired; that is what
// `prevExpiresAt` on its successor, and `lastExpiresAt` on the clock, tell.
import { type Clock, isExpired, type LogEntry } from '../domain/room.ts';
import { parseLogEntry } from './items.ts';
import { keys, lastTick, ranges, roomPartition } from './keys.ts';
import { getItem, getItems, type Page, queryPage } from './read.ts';
import type { Table } from './table-port.ts';

/** What an ascending walk found. */
export interface Walk {
  /** Entries in order; expired ones are left out. */
  readonly entries: readonly LogEntry[];
  /** Last tick passed: nothing up to here is missing but what expired. */
  readonly upTo: number;
  /**
   * Why it ended: at the clock's tick, at its limit, or before an entry that is not visible yet.
   */
  readonly end: 'clock' | 'limit' | 'torn';
}

/**
 * Walks the ticks after `after` up to at least `clock.tick`, at most `limit` entries.
 * Entries of commits after the clock was read may be among them.
 */
export async function walkLog(
  table: Table,
  room: string,
  clock: Clock,
  after: number,
  limit: number,
): Promise<Walk> {
  // Nothing was said after this position when the clock was read: an empty query costs a unit, too.
  if (after >= clock.tick) return { entries: [], upTo: after, end: 'clock' };
  const range = { pk: roomPartition(room), ...ranges.log(after + 1, lastTick) };
  const entries: LogEntry[] = [];
  let upTo = after;
  let walked = 0;
  let start: Page['next'];
  do {
    const page: Page = await queryPage(table, range, { start, limit: limit - walked });
    for (const item of page.items) {
      const entry = parseLogEntry(item);
      const isHole = entry.seq !== upTo + 1 && !isExpired(entry.prevExpiresAt, table.nowMs());
      if (isHole) return { entries, upTo, end: 'torn' };
      if (!isExpired(entry.expiresAt, table.nowMs())) entries.push(entry);
      upTo = entry.seq;
      walked += 1;
    }
    start = page.next;
  } while (start !== undefined && walked < limit);
  if (start !== undefined) return { entries, upTo, end: 'limit' };
  if (upTo >= clock.tick) return { entries, upTo, end: 'clock' };
  // The newest entry is missing: expired and swept with all before it, or not visible yet.
  return isExpired(clock.lastExpiresAt, table.nowMs())
    ? { entries, upTo: clock.tick, end: 'clock' }
    : { entries, upTo, end: 'torn' };
}

/** What a descending look found, newest first. */
export interface Look {
  readonly entries: readonly LogEntry[];
  /** Oldest tick seen, or 1 if the log's beginning was reached. */
  readonly downTo: number;
  readonly isAll: boolean;
}

/**
 * Looks back from before `before`, newest first, until `enough` says so or `limit` entries were
 * seen. Shows what is visible: no position may be derived from it.
 */
export async function lookBack(
  table: Table,
  room: string,
  before: number,
  options: {
    readonly limit: number;
    readonly pageSize?: number;
    readonly oldest?: number;
    readonly enough?: (entry: LogEntry) => boolean;
  },
): Promise<Look> {
  const oldest = options.oldest ?? 1;
  if (before <= oldest) return { entries: [], downTo: oldest, isAll: true };
  const range = { pk: roomPartition(room), ...ranges.log(oldest, before - 1) };
  const entries: LogEntry[] = [];
  let downTo = before;
  let seen = 0;
  let start: Page['next'];
  do {
    const limit = Math.min(options.pageSize ?? options.limit, options.limit - seen);
    const page: Page = await queryPage(table, range, { descending: true, start, limit });
    for (const item of page.items) {
      const entry = parseLogEntry(item);
      seen += 1;
      downTo = entry.seq;
      if (isExpired(entry.expiresAt, table.nowMs())) continue;
      entries.push(entry);
      if (options.enough?.(entry) === true) return { entries, downTo, isAll: false };
    }
    start = page.next;
  } while (start !== undefined && seen < options.limit);
  return { entries, downTo: start === undefined ? oldest : downTo, isAll: start === undefined };
}

/** One entry; undefined if there is none or it expired. */
export async function getLogEntry(
  table: Table,
  room: string,
  seq: number,
): Promise<LogEntry | undefined> {
  const item = await getItem(table, keys.log(room, seq));
  if (item === undefined) return undefined;
  const entry = parseLogEntry(item);
  return isExpired(entry.expiresAt, table.nowMs()) ? undefined : entry;
}

/** Entries by tick, in order; those that are not visible, expired or gone are left out. */
export async function getLogEntries(
  table: Table,
  room: string,
  seqs: readonly number[],
): Promise<readonly LogEntry[]> {
  const items = await getItems(
    table,
    seqs.map((seq) => keys.log(room, seq)),
  );
  return items
    .map(parseLogEntry)
    .filter((entry) => !isExpired(entry.expiresAt, table.nowMs()))
    .sort((a, b) => a.seq - b.seq);
}
