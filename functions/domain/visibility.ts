// Who may read what (seed "Messages and delivery"; protocol, section 2, history).
import type { HistoryView } from '../../protocol/nouns.ts';
import { tookPart } from './recipients.ts';
import type { LogEntry } from './room.ts';

/**
 * Through which stays somebody looks at a room: one for a member, all of its account's for an
 * observer.
 */
export type Eyes = ReadonlySet<number>;

/**
 * Room messages are everyone's; a dm is its participants' alone. Entries that are no message are
 * nobody's.
 */
export function mayRead(entry: Pick<LogEntry, 'kind' | 'dm' | 'from' | 'to'>, eyes: Eyes): boolean {
  if (entry.kind !== 'text' && entry.kind !== 'intro') return false;
  if (!entry.dm) return true;
  return isCorrespondence(entry, eyes);
}

/** True for what one of these stays said or received by name. */
function isCorrespondence(entry: Pick<LogEntry, 'from' | 'to'>, eyes: Eyes): boolean {
  for (const no of eyes) if (tookPart(entry, no)) return true;
  return false;
}

/**
 * Selects what a history view shows: `room` = room messages only, `correspondence` = what these
 * stays said or received, absent = everything readable.
 */
export function inView(
  entry: LogEntry,
  eyes: Eyes,
  view: HistoryView | undefined,
  wasRecipient: (entry: LogEntry, no: number) => boolean,
): boolean {
  if (!mayRead(entry, eyes)) return false;
  if (view === 'room') return !entry.dm;
  if (view !== 'correspondence' || isCorrespondence(entry, eyes)) return true;
  return [...eyes].some((no) => wasRecipient(entry, no));
}
