// The OpenID provider: the pool's configuration with this stand-in's state, keys, users and pages.
import type { DatabaseSync } from 'node:sqlite';
import Provider from 'oidc-provider';
import { recordAdapter } from './adapter.ts';
import { clientMetadata, poolConfiguration } from './configuration.ts';
import type { Keys } from './keys.ts';
import { type AppClient, isLoopbackUrl } from './options.ts';
import { noticePage, pageHeaders } from './pages.ts';
import { accessTokenReader, claimsByScope, shapeAccessToken, userClaims } from './tokens.ts';
import type { Users } from './users.ts';

/** A step of the provider's Koa application. */
export type Middleware = Parameters<Provider['use']>[0];
export type Context = Parameters<Middleware>[0];

/** Where the stand-in lives: `issuer` names the pool, `baseUrl` plays the pool's domain. */
export interface Addresses {
  baseUrl: string;
  issuer: string;
  jwksUri: string;
}

export interface ProviderParts extends Addresses {
  clients: readonly AppClient[];
  db: DatabaseSync;
  keys: Keys;
  users: Users;
}

// Browsers share cookies between the ports of a host: each stand-in, and the Hub, needs its own.
function cookies(baseUrl: string, cookieKey: string) {
  const prefix = `cognito_${new URL(baseUrl).port}`;
  const names = {
    session: `${prefix}_session`,
    interaction: `${prefix}_interaction`,
    resume: `${prefix}_resume`,
  };
  return { keys: [cookieKey], names };
}

export function createProvider(parts: ProviderParts): Provider {
  const { issuer, jwksUri, db, keys, users } = parts;
  const readAccessToken = accessTokenReader(issuer, jwksUri, keys.publicJwk);
  const provider = new Provider(issuer, {
    ...poolConfiguration(issuer, jwksUri),
    adapter: (model) => {
      const records = recordAdapter(db, model);
      if (model !== 'AccessToken') return records;
      return { ...records, find: async (token: string) => readAccessToken(token) };
    },
    claims: claimsByScope,
    clients: parts.clients.map(clientMetadata),
    cookies: cookies(parts.baseUrl, keys.cookieKey),
    async findAccount(ctx, sub, token) {
      const user = users.bySub(sub);
      if (user === undefined) return undefined;
      return { accountId: sub, claims: (use) => userClaims(ctx, user, token?.grantId, use) };
    },
    formats: { customizers: { jwt: shapeAccessToken } },
    jwks: { keys: [keys.privateJwk] },
    renderError(ctx, { error, error_description: description }) {
      ctx.set(pageHeaders);
      ctx.body = noticePage('Sign-in failed', description ? `${error}: ${description}` : error);
    },
  });

  const { Client } = provider;
  const isRegistered = Client.prototype.redirectUriAllowed;
  Client.prototype.redirectUriAllowed = function redirectUriAllowed(url) {
    return isLoopbackUrl(url) || isRegistered.call(this, url);
  };
  return provider;
}
