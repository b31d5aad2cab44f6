// How oidc-provider is set to behave like a Cognito user pool: lifetimes, scopes, clients, grants.
import { randomUUID } from 'node:crypto';
import { type Configuration, errors, interactionPolicy } from 'oidc-provider';
import type { AppClient } from './options.ts';

/** The scopes every client may ask for. */
export const poolScopes = ['openid', 'email', 'phone', 'profile', 'aws.cognito.signin.user.admin'];

const minuteSeconds = 60;
const hourSeconds = 60 * minuteSeconds;
const refreshTokenSeconds = 30 * 24 * hourSeconds;

// Cognito's defaults. A grant has to outlive its refresh token, by the time a code may take.
const ttl: Configuration['ttl'] = {
  AccessToken: hourSeconds,
  AuthorizationCode: 5 * minuteSeconds,
  Grant: refreshTokenSeconds + hourSeconds,
  IdToken: hourSeconds,
  Interaction: 15 * minuteSeconds,
  RefreshToken: refreshTokenSeconds,
  Session: hourSeconds,
};

const routes: Configuration['routes'] = {
  authorization: '/oauth2/authorize',
  token: '/oauth2/token',
  userinfo: '/oauth2/userInfo',
  revocation: '/oauth2/revoke',
  end_session: '/logout',
};

/** A client as the library wants it described. */
export function clientMetadata({ clientId, callbackUrls, secret }: AppClient) {
  return {
    client_id: clientId,
    redirect_uris: callbackUrls.length > 0 ? [...callbackUrls] : ['http://localhost'],
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code' as const],
    ...(secret === undefined
      ? { token_endpoint_auth_method: 'none' as const }
      : { token_endpoint_auth_method: 'client_secret_basic' as const, client_secret: secret }),
  };
}

/** Signed access tokens come only with a resource, so there is one: the pool itself. */
function poolAsResource(issuer: string) {
  return {
    enabled: true,
    defaultResource: () => issuer,
    useGrantedResource: () => true,
    getResourceServerInfo(_ctx: unknown, resource: string) {
      if (resource !== issuer) throw new errors.InvalidTarget();
      return {
        scope: poolScopes.join(' '),
        accessTokenFormat: 'jwt' as const,
        jwt: { sign: { alg: 'RS256' as const } },
      };
    },
  };
}

/** Grants whatever a client of the pool may ask for: a pool has no consent page. */
function grantEverything(resource: string): Configuration['loadExistingGrant'] {
  return async ({ oidc }) => {
    if (oidc.client === undefined || oidc.account === undefined) return undefined;
    const { clientId } = oidc.client;
    const grant = new oidc.provider.Grant({ clientId, accountId: oidc.account.accountId });
    // A new one per sign-in, never one that was revoked, and named by a UUID: it is the tokens'
    // `origin_jti`.
    grant.jti = randomUUID();
    grant.addOIDCScope(poolScopes);
    grant.addResourceScope(resource, poolScopes);
    await grant.save();
    return grant;
  };
}

function loginOnly() {
  const policy = interactionPolicy.base();
  policy.remove('consent');
  return policy;
}

/** All settings that depend on the pool alone. */
export function poolConfiguration(issuer: string, jwksUri: string): Configuration {
  return {
    clientBasedCORS: () => true,
    clockTolerance: 0,
    conformIdTokenClaims: false,
    expiresWithSession: () => false,
    features: {
      devInteractions: { enabled: false },
      dPoP: { enabled: false },
      pushedAuthorizationRequests: { enabled: false },
      resourceIndicators: poolAsResource(issuer),
      revocation: {
        enabled: true,
        allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
      },
      rpInitiatedLogout: { enabled: false },
    },
    interactions: { policy: loginOnly(), url: (_ctx, { uid }) => `/login/${uid}` },
    issueRefreshToken: () => true,
    loadExistingGrant: grantEverything(issuer),
    rotateRefreshToken: false,
    routes: { ...routes, jwks: new URL(jwksUri).pathname },
    scopes: poolScopes,
    ttl,
  };
}
