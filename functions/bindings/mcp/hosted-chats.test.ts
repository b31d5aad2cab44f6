// Claude and ChatGPT on the web as their vendors describe them, step by step: from the first
// refusal to the next token, over restarts of the Hub, and where a front door renames the header
// that points to the sign-in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  allow,
  type Client,
  claudeRedirect,
  openBrowser,
  post,
  register,
  requestOf,
  TokenAnswer,
} from '../../testing/oauth-client.ts';
import { startTestAuth, type TestAuth } from '../../testing/test-auth.ts';

const Resource = z.object({
  resource: z.string(),
  authorization_servers: z.array(z.string()).length(1),
  scopes_supported: z.array(z.string()),
});
const Server = z.object({
  issuer: z.string(),
  code_challenge_methods_supported: z.array(z.string()),
  token_endpoint_auth_methods_supported: z.array(z.string()),
  client_id_metadata_document_supported: z.boolean(),
  authorization_response_iss_parameter_supported: z.boolean(),
  scopes_supported: z.array(z.string()),
  authorization_endpoint: z.string(),
  token_endpoint: z.string(),
});
const Listed = z.object({ result: z.object({ tools: z.array(z.object({ name: z.string() })) }) });

const perConnector = 'https://chatgpt.com/connector/oauth/Ab_1';
const claudeDocument = 'https://claude.ai/oauth/mcp-oauth-client-metadata';

interface Vendor {
  readonly origin: string;
  readonly host: string;
  /** By its document, or by a registration; `isStable` says whether it trusts our issuer. */
  identify(auth: TestAuth, isStable: boolean): Promise<Client>;
}

const vendors: readonly (readonly [string, Vendor])[] = [
  [
    'Claude by its document',
    {
      origin: 'https://claude.ai',
      host: 'claude-web',
      identify: async () => ({ clientId: claudeDocument, redirectUri: claudeRedirect }),
    },
  ],
  [
    'Claude by a registration',
    {
      origin: 'https://claude.ai',
      host: 'claude-web',
      identify: (auth) => register(auth, claudeRedirect),
    },
  ],
  [
    'ChatGPT by its document',
    {
      origin: 'https://chatgpt.com',
      host: 'chatgpt-web',
      // Its one stable address only where the issuer is told and is the same in both documents.
      identify: async (_, isStable) =>
        isStable
          ? {
              clientId: 'https://chatgpt.com/oauth/client.json',
              redirectUri: 'https://chatgpt.com/connector_platform_oauth_redirect',
            }
          : { clientId: 'https://chatgpt.com/oauth/Ab_1/client.json', redirectUri: perConnector },
    },
  ],
  [
    'ChatGPT by a registration',
    {
      origin: 'https://chatgpt.com',
      host: 'chatgpt-web',
      identify: (auth) => register(auth, perConnector),
    },
  ],
];

let accounts = 0;

describe.each([
  ['as it is', false],
  ['renamed', true],
])('with the pointer to the sign-in %s', (_, remapsWwwAuthenticate) => {
  let auth: TestAuth;
  beforeAll(async () => {
    auth = await startTestAuth({ remapsWwwAuthenticate });
  });
  afterAll(async () => {
    expect(auth.faults).toEqual([]);
    await auth.close();
  });

  it.each(vendors)('%s connects, stays connected, and finds back', async (_name, vendor) => {
    const { origin, host } = vendor;
    const mcp = `${auth.url}/mcp`;
    const ask = (method: string, params: object, token?: string) =>
      fetch(mcp, {
        method: 'POST',
        headers: {
          origin,
          'content-type': 'application/json',
          accept: 'application/json, text/event-stream',
          ...(token !== undefined && { authorization: `Bearer ${token}` }),
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }),
      });
    const listTools = (token?: string) => ask('tools/list', {}, token);
    const readJson = async (url: string) => (await fetch(url, { headers: { origin } })).json();

    /** Where a refusal points; by the well-known path where the header does not arrive. */
    const pointerOf = async (refused: Response) => {
      expect(refused.status).toBe(401);
      const header = refused.headers.get('www-authenticate') ?? '';
      expect(header === '').toBe(remapsWwwAuthenticate);
      const { resource_metadata } = z
        .object({ resource_metadata: z.string() })
        .parse(await refused.json());
      const fallback = `${auth.url}/.well-known/oauth-protected-resource/mcp`;
      const [, pointer = fallback] = /resource_metadata="([^"]+)"/.exec(header) ?? [];
      expect(pointer).toBe(resource_metadata);
      return pointer;
    };

    const resource = Resource.parse(await readJson(await pointerOf(await listTools())));
    expect(resource.resource).toBe(mcp);
    expect(resource.scopes_supported).not.toContain('offline_access');
    const [issuer = ''] = resource.authorization_servers;
    const server = Server.parse(await readJson(`${issuer}/.well-known/oauth-authorization-server`));
    expect(server).toMatchObject({
      issuer,
      code_challenge_methods_supported: ['S256'],
      client_id_metadata_document_supported: true,
    });
    expect(server.token_endpoint_auth_methods_supported).toContain('none');
    expect(server.scopes_supported).toContain('offline_access');

    const isStable =
      server.authorization_response_iss_parameter_supported && server.issuer === issuer;
    const client = await vendor.identify(auth, isStable);
    const scope = [...resource.scopes_supported, 'offline_access'].join(' ');
    const pending = requestOf(auth, client, { scope, resource: resource.resource });
    expect(pending.url.href.startsWith(server.authorization_endpoint)).toBe(true);
    accounts += 1;
    const returned = await allow(openBrowser(auth), pending, `chatter${accounts}@example.com`);
    expect(`${returned.origin}${returned.pathname}`).toBe(client.redirectUri);
    // Byte for byte, and once: a client that was told to expect it refuses anything else.
    expect(returned.searchParams.getAll('iss')).toEqual([issuer]);
    expect(returned.searchParams.get('state')).toBe(pending.state);

    const getTokens = async (form: Record<string, string>) => {
      const { pathname } = new URL(server.token_endpoint);
      const whole = { client_id: client.clientId, resource: resource.resource, ...form };
      return post(auth, pathname, whole, { origin });
    };
    auth.restart();
    const { body, headers } = await getTokens({
      grant_type: 'authorization_code',
      redirect_uri: client.redirectUri,
      code: returned.searchParams.get('code') ?? '',
      code_verifier: pending.verifier,
    });
    expect(headers.get('access-control-allow-origin')).toBe(origin);
    const tokens = TokenAnswer.parse(body);
    const listed = Listed.parse(await (await listTools(tokens.access_token)).json());
    expect(listed.result.tools).toHaveLength(10);

    // An hour later the token is over: the refusal points the same way, and a refresh is enough.
    auth.test.shiftMs(61 * 60_000);
    auth.restart();
    await pointerOf(await listTools(tokens.access_token));
    const refreshed = TokenAnswer.parse(
      (await getTokens({ grant_type: 'refresh_token', refresh_token: tokens.refresh_token })).body,
    );
    const args = { name: 'new_room', arguments: { name: 'Room', description: '' } };
    const made = await (await ask('tools/call', args, refreshed.access_token)).json();
    const room = Object(made).result.structuredContent.code;
    const join = { name: 'join', arguments: { room, intro: 'Hello.' } };
    const joined = await (await ask('tools/call', join, refreshed.access_token)).json();
    expect(Object(joined).result.structuredContent.members).toMatchObject([{ host }]);

    // Without any token, after all that, it is told where to go as on the first day.
    await pointerOf(await listTools());
    auth.test.shiftMs(-61 * 60_000);
  });
});
