// The pool's discovery document: what Cognito says of itself and no more. It names no PKCE method
// and no `iss` in answers, so a client that relies on either fails here as it would on AWS.
import { poolScopes } from './configuration.ts';
import type { Addresses, Middleware } from './provider.ts';

export function discovery({ baseUrl, issuer, jwksUri }: Addresses): Middleware {
  const path = `${new URL(issuer).pathname}/.well-known/openid-configuration`;
  const metadata = {
    issuer,
    jwks_uri: jwksUri,
    authorization_endpoint: `${baseUrl}/oauth2/authorize`,
    token_endpoint: `${baseUrl}/oauth2/token`,
    userinfo_endpoint: `${baseUrl}/oauth2/userInfo`,
    revocation_endpoint: `${baseUrl}/oauth2/revoke`,
    end_session_endpoint: `${baseUrl}/logout`,
    response_types_supported: ['code'],
    scopes_supported: poolScopes,
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: ['RS256'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
  };
  return async (ctx, next) => {
    // At the domain itself Cognito has no such documents, and the library has two.
    if (ctx.path.startsWith('/.well-known/')) return;
    if (ctx.path !== path) return next();
    ctx.set('Access-Control-Allow-Origin', '*');
    ctx.body = metadata;
  };
}
