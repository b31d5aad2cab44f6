// For hooks and monitors that are processes of their own: they read what the bridge published, and
// claim a notice before they show it. They never touch the network (protocol, section 5).
import { join } from 'node:path';
import type { CallingConversation } from '../../../protocol/wire.ts';
import type { Run } from '../../records.ts';
import type { Boundary } from '../../wake/machine.ts';
import { type FileAccess, nodeFiles } from './file-access.ts';
import { recordPaths, takenFile } from './paths.ts';
import { parseRun } from './run-file.ts';

/** Hooks run at once, and a late one must still find what was claimed since it read `run`. */
const claimsKept = 20;

export interface HookOptions {
  /** The home folder, from `homeFolder`. */
  home: string;
  conversation: CallingConversation;
  files?: FileAccess;
}

/** What the bridge of the conversation last published; undefined if it is not online. */
export async function readRun({
  home,
  conversation,
  files = nodeFiles,
}: HookOptions): Promise<Run | undefined> {
  const text = await files.read(recordPaths(home, conversation).run).catch(() => undefined);
  return text === undefined ? undefined : parseRun(text);
}

/**
 * The notice this place shows now. At most one of all hooks and monitors gets it. `wake` is the
 * place of a monitor that was told to start a turn by a higher `wakes` of the run file.
 */
export async function takeHookNotice(
  options: HookOptions,
  place: Boundary | 'wake',
): Promise<string | undefined> {
  const { home, conversation, files = nodeFiles } = options;
  const run = await readRun(options);
  if (run === undefined || run.notice === '') return undefined;
  if (run.atTurnEnd && place !== 'end') return undefined;
  const paths = recordPaths(home, conversation);
  const claimed = takenFile(paths, run.key);
  // What cannot be claimed cannot be remembered, and would be said at every boundary.
  if (!(await files.claim(claimed).catch(() => false))) return undefined;
  // The notice is claimed: whatever goes wrong from here on, nobody else would give it.
  const names = await files.list(paths.taken).catch(() => []);
  const oldest = names.toSorted((a, b) => upToOf(a) - upToOf(b)).slice(0, -claimsKept);
  const others = oldest.map((name) => join(paths.taken, name)).filter((path) => path !== claimed);
  await Promise.allSettled(others.map((path) => files.remove(path)));
  return run.notice;
}

function upToOf(claim: string): number {
  return Number.parseInt(claim, 10);
}

/** Whether a hook or monitor has shown the notice of this unread state. */
export async function isNoticeTaken(options: HookOptions, key: string): Promise<boolean> {
  const { home, conversation, files = nodeFiles } = options;
  const path = takenFile(recordPaths(home, conversation), key);
  return (await files.read(path).catch(() => undefined)) !== undefined;
}
