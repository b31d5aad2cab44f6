// The records of a conversation in files (protocol, section 5).
import type { CallingConversation } from '../../../protocol/wire.ts';
import { Credentials, Marker, Run } from '../../records.ts';
import { normalizeHub, type Session, type Store } from '../../store.ts';
import { resolveHub } from '../hub-url.ts';
import type { FileAccess } from './file-access.ts';
import { isNoticeTaken } from './hook-notice.ts';
import { recordPaths } from './paths.ts';
import { RecordFiles } from './record-files.ts';

export interface FileStoreOptions {
  home: string;
  conversation: CallingConversation;
  /** What `TANDRY_HUB` says, if anything. */
  hub: string | undefined;
  files: FileAccess;
  warn: (line: string) => void;
}

export function createFileStore(options: FileStoreOptions): Store {
  const { home, conversation, hub, files, warn } = options;
  const paths = recordPaths(home, conversation);
  const records = new RecordFiles(files, warn);
  /** One change of the run file after the other: the last one asked for is the last one done. */
  let runChanges = Promise.resolve();

  async function session(): Promise<Session> {
    const credentials = await records.read(Credentials, paths.credentials);
    const chosen = resolveHub({ variable: hub, credentials: credentials?.hub });
    const isOurs = credentials !== undefined && normalizeHub(credentials.hub) === chosen;
    return { hub: chosen, ...(isOurs && { token: credentials.token }) };
  }

  function changeRun(change: () => Promise<void>): Promise<void> {
    runChanges = runChanges.then(() => records.try(paths.run, change));
    return runChanges;
  }

  return {
    session,
    signIn: (credentials) => records.write(paths.credentials, credentials),
    signOut: () => records.try(paths.credentials, () => files.remove(paths.credentials)),
    readMarker: () => records.read(Marker, paths.marker),
    writeMarker: (marker) => records.try(paths.marker, () => records.write(paths.marker, marker)),
    removeMarker: () => records.try(paths.marker, () => files.remove(paths.marker)),
    readRun: () => records.read(Run, paths.run),
    writeRun: (run) => changeRun(() => records.write(paths.run, run)),
    removeRun: () => changeRun(() => files.remove(paths.run)),
    isTaken: (key) => isNoticeTaken({ home, conversation, files }, key),
    forgetTaken: () => records.try(paths.taken, () => files.remove(paths.taken)),
  };
}
