// What waits for a member: the walk from its position, with patience for commits half visible.
import { type PageLimit, pageGauge } from '../domain/page.ts';
import { isAddressedTo } from '../domain/recipients.ts';
import type { Clock, LogEntry, MessageBody } from '../domain/room.ts';
import { countLimit, countUnread, isMailFor, type UnreadCount } from '../domain/unread.ts';
import { lookBack, walkLog } from '../store/log.ts';
import { untilVisible } from './half-visible.ts';
import type { Stored } from './hub.ts';
import { isTorn, type Names, readBodies, readNames } from './message-views.ts';

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
  /** Everybody the batch and what remains name. */
  readonly names: Names;
  readonly remaining: UnreadCount | undefined;
  /** Up to here nothing was ever addressed to this member: its position may skip it. */
  readonly skippedTo: number;
}

/** Reads the next batch; waits while a commit in its way is only half visible. */
export function nextBatch(
  hub: Stored,
  clock: Clock,
  box: Mailbox,
  limit: PageLimit,
): Promise<Batch> {
  return untilVisible(hub, async () => {
    const { mail, skippedTo, isTornWalk, newest } = await walkMail(hub, clock, box);
    const chosen = cutBatch(mail, pageGauge(limit, clock.presentCount));
    const senders = [...mail, ...(newest === undefined ? [] : [newest])].map(({ from }) => from);
    const [bodies, names] = await Promise.all([
      readBodies(hub, chosen),
      readNames(hub, box.room, chosen, senders),
    ]);
    const tornAt = chosen.findIndex((entry) => isUnsettled(entry, bodies, names));
    const entries = tornAt < 0 ? chosen : chosen.slice(0, tornAt);
    const remaining = atNewest(countUnread(mail.slice(entries.length)), newest);
    return {
      view: { entries, bodies, names, skippedTo, remaining },
      isHalf: tornAt >= 0 || (isTornWalk && chosen.length === mail.length),
    };
  });
}

/**
 * A header alone is no mail: its body or sender is not visible yet, or its deletion is only there.
 */
function isUnsettled(
  entry: LogEntry,
  bodies: ReadonlyMap<string, MessageBody>,
  names: Names,
): boolean {
  const isDeleted = bodies.get(entry.id ?? '')?.deletedAt !== undefined;
  return isDeleted || isTorn(entry, bodies) || !names.has(entry.from);
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

/** What is known of mail beyond the walk: that there is some, and where it ends. */
function atNewest(count: UnreadCount | undefined, newest: LogEntry | undefined) {
  if (newest === undefined) return count;
  return count === undefined ? countUnread([newest]) : { ...count, upTo: newest.seq };
}

interface MailWalk {
  readonly mail: readonly LogEntry[];
  readonly skippedTo: number;
  readonly isTornWalk: boolean;
  /** Newest mail beyond a walk that ended at its limit. */
  readonly newest?: LogEntry | undefined;
}

/**
 * Walks on past a limit as long as nothing was found; a member nobody writes to must not starve.
 */
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
  return look.entries.find(isMine);
}

function cutBatch(
  mail: readonly LogEntry[],
  fits: (entry: LogEntry) => boolean,
): readonly LogEntry[] {
  const end = mail.findIndex((entry) => !fits(entry));
  return end < 0 ? mail : mail.slice(0, end);
}
