// What hooks and monitor say of the session, by files.
import { statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { uptime } from 'node:os';
import { ConversationId } from '../../../protocol/ids.ts';
import type { ConversationFiles, ProcessFiles } from '../files.ts';
import { leaseMs } from '../lease.ts';

export interface Signs {
  isTurnRunning: boolean;
  /** Whether a monitor listens, so that a notice can start a turn. */
  isMonitored: boolean;
}

export type SignFiles = Pick<ConversationFiles & ProcessFiles, 'turn' | 'lease'>;

/** A turn of which nothing was heard for so long may be over: an interrupted one ends unheard. */
const silentTurnMs = 10 * 60_000;

/** The conversation that hooks name last, empty for none; undefined if they have not yet. */
export async function readSession(path: string): Promise<string | undefined> {
  const bootMs = Date.now() - uptime() * 1_000;
  // Before the machine started, the process ID was another's.
  if (ageMs(path) > Date.now() - bootMs) return undefined;
  const text = await readFile(path, 'utf8').catch(() => undefined);
  if (text === '') return '';
  return ConversationId.safeParse(text).data;
}

/** At once, so that a turn that has just begun is known when mail comes. */
export function readSigns({ turn, lease }: SignFiles): Signs {
  return { isTurnRunning: ageMs(turn) < silentTurnMs, isMonitored: ageMs(lease) < leaseMs };
}

/** Since the file was written; infinite if there is none. */
function ageMs(path: string): number {
  try {
    const written = statSync(path, { throwIfNoEntry: false });
    return written === undefined ? Number.POSITIVE_INFINITY : Date.now() - written.mtimeMs;
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}
