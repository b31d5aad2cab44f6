// What clients read first: the protected resource's metadata (RFC 9728) and the server's own
// (RFC 8414). The latter is oidc-provider's, without what belongs to OpenID Connect alone.
import { resourceOf, scope } from '../resource.ts';
import type { AuthServer, Context, Step } from './context.ts';

const resourcePaths = new Set([
  '/.well-known/oauth-protected-resource',
  '/.well-known/oauth-protected-resource/mcp',
]);
const serverPath = '/.well-known/oauth-authorization-server';

/** Clients look here again and again; nothing of it changes but with a deployment. */
const cacheControl = 'public, max-age=300';

const serverFields = [
  'issuer',
  'authorization_endpoint',
  'token_endpoint',
  'registration_endpoint',
  'revocation_endpoint',
  'device_authorization_endpoint',
  'grant_types_supported',
  'code_challenge_methods_supported',
  'token_endpoint_auth_methods_supported',
  'client_id_metadata_document_supported',
  'authorization_response_iss_parameter_supported',
];

/** Serves both; every other well-known path is left to whoever comes next. */
export function metadata(server: AuthServer): Step {
  const protectedResource = {
    resource: resourceOf(server),
    authorization_servers: [server.hubUrl],
    scopes_supported: [scope],
    bearer_methods_supported: ['header'],
    resource_name: 'Tandry',
  };
  return async (ctx, next) => {
    if (resourcePaths.has(ctx.path)) {
      allowAnyOrigin(ctx);
      if (ctx.method !== 'GET') return;
      ctx.set('cache-control', cacheControl);
      ctx.body = protectedResource;
      return;
    }
    await next();
    if (ctx.path === serverPath && ctx.method === 'GET') withoutOpenId(ctx);
  };
}

/** A page asks by OPTIONS first when it sends headers of its own, as MCP clients do. */
export function allowAnyOrigin(ctx: Context): void {
  ctx.set('access-control-allow-origin', '*');
  if (ctx.method !== 'OPTIONS') return;
  ctx.set('access-control-allow-methods', 'GET, POST');
  ctx.set('access-control-allow-headers', ctx.get('access-control-request-headers'));
  ctx.status = 204;
}

function withoutOpenId(ctx: Context): void {
  const { body } = ctx;
  if (typeof body !== 'object' || body === null) return;
  ctx.set('cache-control', cacheControl);
  ctx.body = {
    ...Object.fromEntries(serverFields.map((field) => [field, Reflect.get(body, field)])),
    response_types_supported: ['code'],
    response_modes_supported: ['query'],
    scopes_supported: [scope, 'offline_access'],
    revocation_endpoint_auth_methods_supported: ['none'],
  };
}
