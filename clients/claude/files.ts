// The files by which hooks, monitor and MCP server of one Claude Code process find each other.
// Below the home folder; each has one writer, and none exists before the conversation first calls a
// tool.
import { join } from 'node:path';
import { fileNameOf } from '../../bridge/node/files/names.ts';
import { recordPaths } from '../../bridge/node/files/paths.ts';

export const host = 'claude';

export interface ProcessFiles {
  /** The ID of the conversation that the process shows now, empty for none: written by hooks. */
  session: string;
  /** Touched again and again as long as a monitor listens: written by the monitor. */
  lease: string;
}

/** Files of a Claude Code process, by its process ID. */
export function processFiles(home: string, pid: number, joined = join): ProcessFiles {
  const below = (folder: string) => joined(home, folder, host, String(pid));
  return { session: below('session'), lease: below('monitor') };
}

export interface ConversationFiles {
  /** Exists if the conversation is in a room: written by the bridge. */
  marker: string;
  /** Exists while a turn runs, written anew whenever it shows a sign of life: written by hooks. */
  turn: string;
}

export function conversationFiles(
  home: string,
  conversation: string,
  joined = join,
): ConversationFiles {
  return {
    marker: recordPaths(home, { host, conversation }).marker,
    turn: joined(home, 'turn', host, fileNameOf(conversation)),
  };
}

/** Process ID of Claude Code, as its children know it: `CLAUDE_PID`, else their parent. */
export function claudePid(environment: Readonly<Record<string, string | undefined>>): number {
  const { CLAUDE_PID: pid } = environment;
  return pid !== undefined && /^[1-9]\d*$/.test(pid) ? Number(pid) : process.ppid;
}
