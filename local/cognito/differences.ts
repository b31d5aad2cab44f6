// Where the library is kinder than Cognito: what it accepts or says in addition is refused or left
// out here, so that nothing is built on it.
import type { Provider } from 'oidc-provider';
import * as z from 'zod';
import { poolScopes } from './configuration.ts';
import { loopbackHosts } from './options.ts';
import { noticePage, pageHeaders } from './pages.ts';
import type { Middleware } from './provider.ts';

const TokenAnswer = z.object({
  access_token: z.string(),
  id_token: z.string().optional(),
  refresh_token: z.string().optional(),
  expires_in: z.number(),
  token_type: z.literal('Bearer'),
});

/** Refuses other names for this machine, as a page that rebinds its own name to it would use. */
export const loopbackOnly: Middleware = async (ctx, next) => {
  if (loopbackHosts.has(ctx.hostname) || ctx.hostname === '::1') return next();
  ctx.status = 421;
};

/** Cognito refuses a scope it does not know, `offline_access` among them; the library drops it. */
export const knownScopesOnly: Middleware = async (ctx, next) => {
  if (ctx.path !== '/oauth2/authorize') return next();
  const scopes = [ctx.query['scope'] ?? []].flat().flatMap((value) => value.split(' '));
  if (scopes.every((scope) => poolScopes.includes(scope))) return next();
  ctx.set(pageHeaders);
  ctx.status = 400;
  ctx.body = noticePage('Sign-in failed', `invalid_scope: the pool has ${poolScopes.join(', ')}`);
};

/**
 * Leaves out what Cognito does not say: `iss` in the answer to an authorization request, `scope` in
 * a token answer, and the refresh token in a refreshed one (the first stays valid).
 */
export function sayNoMore(provider: Provider) {
  provider.on('authorization.success', (_ctx, answer) => {
    delete answer?.['iss'];
  });
  provider.on('grant.success', (ctx) => {
    const { refresh_token: refreshToken, ...answer } = TokenAnswer.parse(ctx.body);
    const isRefresh = ctx.oidc.params?.['grant_type'] === 'refresh_token';
    ctx.body = isRefresh ? answer : { ...answer, refresh_token: refreshToken };
  });
}
