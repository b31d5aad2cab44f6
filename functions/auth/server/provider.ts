// How oidc-provider is set: public clients, code with PKCE and device grant, one resource, opaque
// tokens, rotating refresh tokens. It signs nothing.
import { generateKeyPairSync, randomUUID } from 'node:crypto';
import Provider, { type Configuration, errors, interactionPolicy } from 'oidc-provider';
import { limitFor } from '../../policy.ts';
import { attemptsOf, countAttempt } from '../../store/attempts.ts';
import { resourceOf, scope } from '../resource.ts';
import { createAdapter } from './adapter.ts';
import { findClientDocument } from './clients/documents.ts';
import { hostKindOf } from './clients/host-kind.ts';
import { redirectRules } from './clients/redirects.ts';
import type { AuthServer } from './context.ts';
import { cookiePrefix } from './cookies.ts';
import { journeySeconds } from './journey.ts';
import { notice, pageHeaders } from './pages/layout.ts';
import { mintOwnTokens } from './successors.ts';

const hourS = 60 * 60;
const dayS = 24 * hourS;
const patienceMs = 8_000;

/** Lifetimes in seconds. A grant is asked for again after a year, whoever refreshed meanwhile. */
const ttl: Configuration['ttl'] = {
  AccessToken: hourS,
  AuthorizationCode: 60,
  DeviceCode: 600,
  Grant: 365 * dayS,
  Interaction: journeySeconds,
  RefreshToken: 90 * dayS,
  Session: hourS,
};

const routes: Configuration['routes'] = {
  authorization: '/oauth/authorize',
  code_verification: '/device',
  device_authorization: '/oauth/device_authorization',
  registration: '/oauth/register',
  revocation: '/oauth/revoke',
  token: '/oauth/token',
};

export function createProvider(server: AuthServer): Provider {
  const provider = new Provider(server.hubUrl, {
    adapter: createAdapter(server),
    clientAuthMethods: ['none'],
    // No cookie and no secret comes with these requests: any page may make them for its person.
    clientBasedCORS: () => true,
    clientDefaults: {
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      id_token_signed_response_alg: 'ES256',
    },
    cookies: cookies(server.hubUrl),
    expiresWithSession: () => false,
    extraTokenClaims: (ctx) => {
      const { clientId = '', redirectUris = [] } = ctx.oidc.client ?? {};
      return { host: hostKindOf(clientId, redirectUris) };
    },
    features: features(server),
    fetch: fetchClients(server),
    findAccount: (_ctx, accountId) => ({ accountId, claims: () => ({ sub: accountId }) }),
    interactions: { policy: policy(), url: (_ctx, { uid }) => `/oauth/consent/${uid}` },
    issueRefreshToken: (_ctx, client) => client.grantTypeAllowed('refresh_token'),
    jwks: unusedKeys(),
    pkce: { required: () => true },
    renderError(ctx, { error, error_description: description = '' }) {
      ctx.set(pageHeaders());
      const text = `Go back to where you came from and start again. It said: ${error}, ${description}.`;
      ctx.body = notice('This did not work', text);
    },
    responseTypes: ['code'],
    revokeGrantPolicy: () => true,
    rotateRefreshToken: true,
    routes,
    scopes: ['offline_access'],
    ttl,
  });
  // The bridge tells the Hub's own scheme and host, whatever the last hop was.
  provider.proxy = true;
  mintOwnTokens(provider, server.secrets);
  return provider;
}

function features(server: AuthServer): Configuration['features'] {
  const resource = resourceOf(server);
  const off = { enabled: false };
  const isOurs = (indicator: string) => {
    if (indicator !== resource) throw new errors.InvalidTarget(`the resource is ${resource}`);
  };
  return {
    clientIdMetadataDocument: {
      enabled: true,
      ack: 'draft-02',
      // What is kept for hours is in the table; this is only for the calls of one connection.
      cacheDuration: { min: 30, max: 60 },
    },
    claimsParameter: off,
    devInteractions: off,
    deviceFlow: { enabled: true, charset: 'base-20', mask: '****-****' },
    dPoP: off,
    pushedAuthorizationRequests: off,
    registration: {
      enabled: true,
      idFactory: () => randomUUID(),
      issueRegistrationAccessToken: false,
    },
    resourceIndicators: {
      enabled: true,
      defaultResource() {
        throw new errors.InvalidTarget(`the parameter resource is needed: ${resource}`);
      },
      getResourceServerInfo(_ctx, indicator) {
        isOurs(indicator);
        return { scope, audience: resource, accessTokenFormat: 'opaque' };
      },
      useGrantedResource: () => true,
    },
    revocation: {
      enabled: true,
      allowedPolicy: (_ctx, client, token) => token.clientId === client.clientId,
    },
    rpInitiatedLogout: off,
    userinfo: off,
  };
}

/**
 * Every authorization asks the person: no session is kept, so each one is a new sign-in. The other
 * prompts are known so that a client that names them is not refused.
 */
function policy() {
  const prompts = interactionPolicy.base();
  prompts.add(new interactionPolicy.Prompt({ name: 'select_account', requestable: true }));
  return prompts;
}

/** Their paths are narrower than a `__Host-` cookie may have. */
function cookies(hubUrl: string): Configuration['cookies'] {
  const prefix = cookiePrefix(hubUrl).replace('__Host-', '__Secure-');
  const options = {
    httpOnly: true,
    sameSite: 'lax',
    secure: hubUrl.startsWith('https:'),
    signed: false,
  } as const;
  return {
    names: {
      interaction: `${prefix}interaction`,
      resume: `${prefix}resume`,
      session: `${prefix}unused`,
    },
    long: options,
    short: options,
  };
}

/** All the library fetches is clients' documents; what it gets is their checked content. */
function fetchClients(server: AuthServer): NonNullable<Configuration['fetch']> {
  const rules = redirectRules(server.redirects);
  const { table, network, policy } = server;
  const mayFetch = async () => {
    const address = Provider.ctx?.ip ?? '';
    const limit = limitFor(policy, policy.documentsPerHour, address);
    const key = attemptsOf('client documents', address);
    const deadline = { atMs: table.nowMs() + patienceMs };
    const windowMs = hourS * 1000;
    return (await countAttempt(table, deadline, key, { limit, windowMs })) === undefined;
  };
  return async (url) => {
    const documents = { table, network, rules, mayFetch };
    const body = await findClientDocument(documents, String(url));
    return body === undefined ? new Response(null, { status: 404 }) : new Response(body);
  };
}

/** The library wants a key for ID tokens, which are never issued here. */
function unusedKeys(): Configuration['jwks'] {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  return { keys: [{ ...privateKey.export({ format: 'jwk' }), use: 'sig', alg: 'ES256' }] };
}
