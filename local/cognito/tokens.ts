// Cognito's shapes: what its access token, ID token and userInfo say, and reading a token back.
import { randomUUID } from 'node:crypto';
import { JwtVerifier } from 'aws-jwt-verify';
import type {
  AccountClaims,
  AdapterPayload,
  Configuration,
  KoaContextWithOIDC,
} from 'oidc-provider';
import * as z from 'zod';
import type { Keys } from './keys.ts';
import type { User } from './users.ts';

type Formats = NonNullable<Configuration['formats']>;
type AccessTokenCustomizer = NonNullable<NonNullable<Formats['customizers']>['jwt']>;

/** Which claims a scope puts into ID tokens and userInfo. */
export const claimsByScope = {
  openid: [
    ...['sub', 'username', 'cognito:username', 'token_use'],
    ...['jti', 'origin_jti', 'event_id', 'auth_time'],
  ],
  email: ['email', 'email_verified'],
};

// The library demands an audience in a JWT access token and Cognito's has none: this value passes
// the demand and is left out by JSON.stringify.
const noAudience = { toJSON: () => undefined };

/** One sign-in is one event, named alike in every token of an answer. */
function eventId(ctx: KoaContextWithOIDC): string {
  const state: { eventId?: string } = ctx.state;
  state.eventId ??= randomUUID();
  return state.eventId;
}

/** Turns the library's access token into Cognito's: header `kid` and `alg` only, no audience. */
export const shapeAccessToken: AccessTokenCustomizer = (ctx, token, parts) => {
  const { iss, sub, client_id, scope, exp, iat } = parts.payload;
  const { AuthorizationCode: code, RefreshToken: refreshToken } = ctx.oidc.entities;
  parts.header = { typ: undefined };
  parts.payload = {
    sub,
    iss,
    version: 2,
    client_id,
    origin_jti: 'grantId' in token ? token.grantId : undefined,
    event_id: eventId(ctx),
    token_use: 'access',
    scope,
    auth_time: code?.authTime ?? refreshToken?.authTime,
    exp,
    iat,
    jti: randomUUID(),
    username: sub,
    aud: noAudience,
  };
};

/** What `oidc-provider` may choose from for `user`; `use` is `id_token` or `userinfo`. */
export function userClaims(
  ctx: KoaContextWithOIDC,
  user: User,
  grantId: string | undefined,
  use: string,
): AccountClaims {
  const { sub, email } = user;
  if (use === 'userinfo') return { sub, username: sub, email, email_verified: 'true' };
  return {
    sub,
    email,
    email_verified: true,
    'cognito:username': sub,
    token_use: 'id',
    jti: randomUUID(),
    origin_jti: grantId,
    event_id: eventId(ctx),
  };
}

const AccessTokenClaims = z.object({
  token_use: z.literal('access'),
  sub: z.string(),
  client_id: z.string(),
  origin_jti: z.string(),
  scope: z.string().default(''),
  iat: z.number(),
  exp: z.number(),
});

/**
 * Reads an access token back, for userInfo: signed tokens are not stored. Anything that is not a
 * valid access token of this issuer is undefined.
 */
export function accessTokenReader(issuer: string, jwksUri: string, publicJwk: Keys['publicJwk']) {
  const verifier = JwtVerifier.create({ issuer, audience: null, jwksUri });
  verifier.cacheJwks({ keys: [publicJwk] });
  return (token: string): AdapterPayload | undefined => {
    try {
      const claims = AccessTokenClaims.parse(verifier.verifySync(token));
      return {
        kind: 'AccessToken',
        accountId: claims.sub,
        clientId: claims.client_id,
        grantId: claims.origin_jti,
        scope: claims.scope,
        iat: claims.iat,
        exp: claims.exp,
      };
    } catch {
      return undefined;
    }
  };
}
