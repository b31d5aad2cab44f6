// Cognito access tokens of the website's client.
import * as z from 'zod';
import type { Table } from '../store/table-port.ts';
import { isSessionEnded } from '../store/tokens.ts';
import type { Pool } from './pool-token.ts';
import type { Authenticate } from './principal.ts';

/**
 * Tokens of the website's client whose session has not ended. Throws only when the keys cannot be
 * fetched, which is no fault of the token.
 */
export function websiteTokens(table: Table, pool: Pool): Authenticate {
  let loading: Promise<(bearer: string) => Promise<unknown>> | undefined;
  return async (bearer) => {
    // Loaded when the first JWT comes, and nothing else with it: what a bundle loads on demand it
    // cannot trim any more.
    loading ??= import('./pool-token.ts').then(({ poolVerifier }) => poolVerifier(pool, 'access'));
    const verify = await loading;
    const claims = Claims.safeParse(await verify(bearer)).data;
    if (claims === undefined) return undefined;
    // Signed tokens stay valid for their hour; the person may have signed out.
    if (await isSessionEnded(table, claims.origin_jti)) return undefined;
    return { account: claims.sub, kind: 'website', device: claims.origin_jti };
  };
}

const Claims = z.object({ sub: z.string(), origin_jti: z.string() });
