// Which Hub a client talks to (protocol, section 5).
import { NoHubError, normalizeHub } from '../store.ts';

/** Set by the build of the clients: `npm run build:clients -- --hub URL`. */
declare const TANDRY_BUILD_HUB: string | undefined;

const bakedIn = typeof TANDRY_BUILD_HUB === 'string' ? TANDRY_BUILD_HUB : undefined;

export interface HubSources {
  /** What `TANDRY_HUB` says. */
  variable: string | undefined;
  /** The Hub of `credentials.json`. */
  credentials: string | undefined;
  /** The URL that the build baked in. */
  baked?: string | undefined;
}

/** The first of variable, credentials and build that is set; throws NoHubError, one line. */
export function resolveHub({ variable, credentials, baked = bakedIn }: HubSources): string {
  const chosen = variable || credentials || baked;
  if (chosen === undefined || chosen === '') {
    throw new NoHubError('Tandry has no Hub to talk to: set TANDRY_HUB to its URL and restart.');
  }
  const hub = normalizeHub(chosen);
  if (hub !== undefined) return hub;
  throw new NoHubError(
    'The URL of the Tandry Hub is not valid: set TANDRY_HUB to one with https:// and restart.',
  );
}
