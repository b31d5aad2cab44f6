// Where the records of a conversation are, below the home folder (protocol, section 5).
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import type { CallingConversation } from '../../../protocol/wire.ts';
import { fileNameOf } from './names.ts';

/**
 * `~/.tandry`, or what `TANDRY_HOME` says. Counted from the user's own folder, because hooks and
 * servers that have to meet there are started in folders of their own.
 */
export function homeFolder(environment: Readonly<Record<string, string | undefined>>): string {
  const { TANDRY_HOME: home } = environment;
  return home === undefined || home === '' ? join(homedir(), '.tandry') : resolve(homedir(), home);
}

export interface RecordPaths {
  credentials: string;
  marker: string;
  run: string;
  /** Folder of one empty file per unread state that a hook has announced. */
  taken: string;
}

export function recordPaths(
  home: string,
  { host, conversation }: CallingConversation,
): RecordPaths {
  const below = (folder: string) => join(home, folder, host, fileNameOf(conversation));
  return {
    credentials: join(home, 'credentials.json'),
    marker: below('joined'),
    run: below('run'),
    taken: below('taken'),
  };
}

/** The file in `taken` for a key `upTo:consumed`; a colon is no part of names on Windows. */
export function takenFile({ taken }: RecordPaths, key: string): string {
  return join(taken, key.replaceAll(':', '-'));
}
