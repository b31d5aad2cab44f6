// What a stand-in is told about itself and its clients, and which URLs a client may be sent back
// to.

/** An app client, as the template describes it. */
export interface AppClient {
  clientId: string;
  /** Exact URLs; any loopback URL over http is accepted besides. */
  callbackUrls: readonly string[];
  /** Exact URLs for `/logout`; loopback as above. */
  logoutUrls?: readonly string[];
  /** Makes the client confidential (`client_secret_basic` or `client_secret_post`). */
  secret?: string;
}

export interface CognitoOptions {
  /** 0 = any free port. */
  port: number;
  /** Where users, keys and sessions are kept; made if absent, may be thrown away. */
  folder: string;
  region: string;
  poolId: string;
  clients: readonly AppClient[];
  /** The time in ms for everything the stand-in does; `Date.now` if absent. */
  nowMs?: () => number;
}

/** The names under which a stand-in on this machine is reached. */
export const loopbackHosts = new Set(['localhost', '127.0.0.1', '[::1]']);

/** Whether `url` is plain http to this machine: a page or program under development. */
export function isLoopbackUrl(url: string): boolean {
  const parsed = URL.parse(url);
  if (parsed === null || parsed.protocol !== 'http:' || url.includes('#')) return false;
  return loopbackHosts.has(parsed.hostname) && parsed.username === '' && parsed.password === '';
}
