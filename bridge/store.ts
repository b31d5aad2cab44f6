// What the bridge remembers beyond its process: a port, implemented on files in `node/files/`.
import type { Credentials, Marker, Run } from './records.ts';

/** Where operations go, and as whom; without a token this device is not signed in there. */
export interface Session {
  /** The Hub's URL without a slash at its end. */
  hub: string;
  token?: string | undefined;
}

/**
 * The records of one conversation, and the credentials of the device. Only `session` and `signIn`
 * reject: whatever else cannot be read counts as absent, what cannot be written is told to people.
 */
export interface Store {
  /** Read anew each time, because another process may have signed in. Rejects with NoHubError. */
  session: () => Promise<Session>;
  signIn: (credentials: Credentials) => Promise<void>;
  signOut: () => Promise<void>;
  readMarker: () => Promise<Marker | undefined>;
  writeMarker: (marker: Marker) => Promise<void>;
  removeMarker: () => Promise<void>;
  readRun: () => Promise<Run | undefined>;
  writeRun: (run: Run) => Promise<void>;
  removeRun: () => Promise<void>;
  /** Whether a hook in a process of its own has announced the unread state of this key. */
  isTaken: (key: string) => Promise<boolean>;
  /** Forgets what hooks have announced: a new process announces anew. */
  forgetTaken: () => Promise<void>;
}

/** No Hub is configured; the message is one line that names the variable. */
export class NoHubError extends Error {
  override readonly name = 'NoHubError';
}

/** The one form of a Hub's URL; undefined if the text is none. */
export function normalizeHub(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { protocol, origin, pathname } = new URL(text);
  if (protocol !== 'https:' && protocol !== 'http:') return undefined;
  return `${origin}${pathname.replace(/\/+$/, '')}`;
}
