// What waits for a member: the walk from its position, with patience for commits half visible.
import { type PageLimit, pageGauge } from '../domain/page.ts';
import { isAddressedTo } from '../domain/recipients.ts';
import type { Clock, LogEntry, MessageBody } from '../domain/room.ts';
import { countLimit, countUnread, isMailFor, type UnreadCount } from '../domain/unread.ts';
import { lookBack, walkLog } from '../store/log.ts';
import type { Stored } from './hub.ts';
import { isTorn, readBodies } from './message-views.ts';

/** Torn states last milliseconds; this is how long a reader waits for one to mend (design, section 3). */
const tornPatienceMs = 2_500;
const tornPollMs = 40;

/** Whose mail: a present member's number. */
export interface Mailbox {
  readonly room: string;
  readonly no: number;
  readonly readSeq: number;
}

/** The oldest unread messages of a mailbox, and what remains after them. */
export interface Batch {
  readonly entries: readonly LogEntry[];
  readonly bodies: ReadonlyMap<string, MessageBody>;
  readonly remaining: UnreadCount | undefined;
  /** Up to here nothing was ever addressed to this member: its position may skip it. */
  readonly skippedTo: number;
}

/** Reads the next batch; waits while a commit in its way is only half visible. */
export async function nextBatch(
  hub: Stored,
  clock: Clock,
  box: Mailbox,
  limit: PageLimit,
): Promise<Batch> {
  const untilMs = hub.table.nowMs() + tornPatienceMs;
  for (;;) {
    const { mail, skippedTo, isTornWalk, newest } = await walkMail(hub, clock, box);
    const chosen = cutBatch(mail, pageGauge(limit, clock.presentCount));
    const bodies = await readBodies(hub, chosen);
    const tornAt = chosen.findIndex((entry) => isTorn(entry, bodies));
    const isHalf = tornAt >= 0 || (isTornWalk && chosen.length === mail.length);
    if (!isHalf || hub.table.nowMs() >= untilMs) {
      const entries = tornAt < 0 ? chosen : chosen.slice(0, tornAt);
      const remaining = countUnread(mail.slice(entries.length));
      return { entries, bodies, skippedTo, remaining: atNewest(remaining, newest) };
    }
    await hub.table.sleep(tornPollMs);
  }
}

/** Counts what is unread without reading a body. */
export async function unreadOf(
  hub: Stored,
  clock: Clock,
  box: Mailbox,
): Promise<UnreadCount | undefined> {
  const { mail, newest } = await walkMail(hub, clock, box);
  return atNewest(countUnread(mail), newest);
}

function atNewest(count: UnreadCount | undefined, newest: number | undefined) {
  if (count === undefined || newest === undefined) return count;
  return { ...count, upTo: Math.max(count.upTo, newest) };
}

interface MailWalk {
  readonly mail: readonly LogEntry[];
  readonly skippedTo: number;
  readonly isTornWalk: boolean;
  /** Newest mail beyond a walk that ended at its limit. */
  readonly newest?: number | undefined;
}

/** Walks on past a limit as long as nothing was found; a member nobody writes to must not starve. */
async function walkMail(hub: Stored, clock: Clock, box: Mailbox): Promise<MailWalk> {
  let after = box.readSeq;
  let skippedTo = after;
  let isSkipping = true;
  for (;;) {
    const walk = await walkLog(hub.table, box.room, clock, after, countLimit);
    const nowMs = hub.table.nowMs();
    const mail = walk.entries.filter((entry) => isMailFor(entry, box.no, nowMs));
    if (isSkipping) {
      // A tombstone counts as addressed: skipping it would make it look read.
      const first = walk.entries.find(
        (entry) => entry.kind === 'text' && isAddressedTo(entry, box.no),
      );
      skippedTo = first === undefined ? walk.upTo : first.seq - 1;
      isSkipping = first === undefined;
    }
    if (walk.end !== 'limit') return { mail, skippedTo, isTornWalk: walk.end === 'torn' };
    if (mail.length > 0) {
      const newest = await newestMail(hub, clock, box, walk.upTo);
      return { mail, skippedTo, isTornWalk: false, newest };
    }
    after = walk.upTo;
  }
}

async function newestMail(hub: Stored, clock: Clock, box: Mailbox, after: number) {
  const isMine = (entry: LogEntry) => isMailFor(entry, box.no, hub.table.nowMs());
  const look = await lookBack(hub.table, box.room, clock.tick + 1, {
    oldest: after + 1,
    limit: countLimit,
    enough: isMine,
  });
  return look.entries.find(isMine)?.seq;
}

function cutBatch(
  mail: readonly LogEntry[],
  fits: (entry: LogEntry) => boolean,
): readonly LogEntry[] {
  const end = mail.findIndex((entry) => !fits(entry));
  return end < 0 ? mail : mail.slice(0, end);
}
