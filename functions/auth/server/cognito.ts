// The sign-in at Cognito: code with PKCE, state and nonce. Its tokens are read here and thrown
// away.
import { createHash } from 'node:crypto';
import * as z from 'zod';
import { poolVerifier } from '../pool-token.ts';
import type { AuthServer } from './context.ts';
import { isSameSecret } from './secrets.ts';

const timeoutMs = 5_000;

/** What the browser keeps until it comes back. */
export interface SignInSecrets {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
}

export interface SignIn {
  /** Where to send the browser; `again` asks the person even if Cognito knows the browser. */
  authorizeUrl(secrets: SignInSecrets, options: { readonly again: boolean }): string;
  /** The account that came back with this code; undefined if Cognito does not confirm it. */
  accountOf(code: string, secrets: SignInSecrets): Promise<string | undefined>;
}

export function cognitoSignIn({ hubUrl, pool }: Pick<AuthServer, 'hubUrl' | 'pool'>): SignIn {
  const verify = poolVerifier(pool, 'id');
  const redirectUri = `${hubUrl}/oauth/callback`;
  return {
    authorizeUrl({ state, nonce, verifier }, { again }) {
      const url = new URL(`${pool.loginUrl}/oauth2/authorize`);
      url.search = new URLSearchParams({
        response_type: 'code',
        client_id: pool.clientId,
        redirect_uri: redirectUri,
        scope: 'openid',
        state,
        nonce,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        ...(again && { prompt: 'login' }),
      }).toString();
      return url.href;
    },
    async accountOf(code, { nonce, verifier }) {
      const response = await fetch(`${pool.loginUrl}/oauth2/token`, {
        method: 'POST',
        body: new URLSearchParams({
          grant_type: 'authorization_code',
          client_id: pool.clientId,
          redirect_uri: redirectUri,
          code,
          code_verifier: verifier,
        }),
        signal: AbortSignal.timeout(timeoutMs),
      });
      if (!response.ok) return undefined;
      const { data: tokens } = Tokens.safeParse(await response.json());
      if (tokens === undefined) return undefined;
      const { data: claims } = Claims.safeParse(await verify(tokens.id_token));
      return claims !== undefined && isSameSecret(claims.nonce, nonce) ? claims.sub : undefined;
    },
  };
}

const Tokens = z.object({ id_token: z.string() });
const Claims = z.object({ sub: z.string().min(1), nonce: z.string() });
