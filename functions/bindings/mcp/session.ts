// As whom a request calls: made anew for each, because nothing is kept between two.
import type { HostKind } from '../../../protocol/nouns.ts';
import type { Hub } from '../../operations/hub.ts';
import { connectorPages } from './pages.ts';

/** A request whose credential was accepted. */
export interface Session {
  readonly hub: Hub;
  readonly bearer: string;
  /** Of its conversations; the OAuth client's, never what it says of itself. */
  readonly host: HostKind;
  readonly startedMs: number;
}

/**
 * The session of a connector's token; undefined for a credential that is unknown, expired, or of
 * another kind. It is looked up once for all tool calls of the request.
 */
export async function openSession(hub: Hub, bearer: string): Promise<Session | undefined> {
  const startedMs = hub.table.nowMs();
  const principal = await hub.authenticate(bearer);
  if (principal?.kind !== 'connector') return undefined;
  return {
    hub: {
      ...hub,
      policy: { ...hub.policy, pages: connectorPages },
      authenticate: async () => principal,
    },
    bearer,
    host: principal.host ?? 'web',
    startedMs,
  };
}
