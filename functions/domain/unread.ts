// Counting what a member has not read: from walked log entries, nothing else.
import { isAddressedTo } from './recipients.ts';
import { isExpired, type LogEntry, type TimeMs } from './room.ts';

/** Unread mail by member numbers; the wire's `Unread` shows addresses instead. */
export interface UnreadCount {
  readonly unread: number;
  /** Highest unread seq. */
  readonly upTo: number;
  /** Senders in order of their first unread message. */
  readonly from: readonly number[];
}

/** Counting stops after this many entries: counts may then be too low, `upTo` is not. */
export const countLimit = 2_000;

/** Mail for `no`: a live text addressed to it. */
export function isMailFor(entry: LogEntry, no: number, nowMs: TimeMs): boolean {
  return (
    entry.kind === 'text' &&
    entry.deletedAt === undefined &&
    !isExpired(entry.expiresAt, nowMs) &&
    isAddressedTo(entry, no)
  );
}

/** Sums mail up; undefined when there is none. */
export function countUnread(mail: readonly LogEntry[]): UnreadCount | undefined {
  const last = mail.at(-1);
  if (last === undefined) return undefined;
  return {
    unread: mail.length,
    upTo: last.seq,
    from: [...new Set(mail.map((entry) => entry.from))],
  };
}
