// From the first 401 to the first tool call: the OAuth of the clients that hosts are built with,
// against the real authorization server, through discovery, consent and sign-in.
import {
  Client,
  type OAuthClientProvider,
  type OAuthDiscoveryState,
  type StoredOAuthClientInformation,
  type StoredOAuthTokens,
  StreamableHTTPClientTransport,
  UnauthorizedError,
} from '@modelcontextprotocol/client';
import {
  type OAuthDiscoveryState as FormerDiscoveryState,
  type OAuthClientProvider as FormerProvider,
  UnauthorizedError as FormerUnauthorizedError,
} from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type {
  OAuthClientInformationMixed,
  OAuthTokens,
} from '@modelcontextprotocol/sdk/shared/auth.js';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DocumentHost, documentHost, startDocumentHost } from '../../testing/document-host.ts';
import { allow, claudeRedirect, openBrowser } from '../../testing/oauth-client.ts';
import { startTestAuth, type TestAuth } from '../../testing/test-auth.ts';

let host: DocumentHost;
let auth: TestAuth;
beforeAll(async () => {
  host = await startDocumentHost();
  auth = await startTestAuth({ network: host.network });
});
afterAll(async () => {
  expect(auth.faults).toEqual([]);
  await Promise.all([auth.close(), host.close()]);
});

const info = { name: 'a test', version: '1' };

/** What a client is to the authorization server. */
interface Identity {
  readonly redirectUrl: string;
  readonly clientMetadataUrl?: string;
}

const terminal: Identity = { redirectUrl: 'http://127.0.0.1:33418/callback' };
const claude: Identity = {
  redirectUrl: claudeRedirect,
  clientMetadataUrl: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
};

/** Keeps in memory what a client has to keep, as either library wants it. */
function createProvider<Information, Tokens, Discovered>(identity: Identity) {
  const kept: {
    information?: Information;
    tokens?: Tokens;
    discovered?: Discovered;
    verifier: string;
    target?: URL;
  } = { verifier: '' };
  return {
    kept,
    ...identity,
    clientMetadata: { client_name: 'A test', redirect_uris: [identity.redirectUrl] },
    clientInformation: () => kept.information,
    saveClientInformation: (information: Information) => {
      kept.information = information;
    },
    tokens: () => kept.tokens,
    saveTokens: (tokens: Tokens) => {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url: URL) => {
      kept.target = url;
    },
    saveCodeVerifier: (verifier: string) => {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier,
    saveDiscoveryState: (discovered: Discovered) => {
      kept.discovered = discovered;
    },
    discoveryState: () => kept.discovered,
  };
}

/** The person behind the client allows it; gives what the client is told of that. */
async function allowAt(target: URL | undefined, email: string): Promise<URLSearchParams> {
  if (target === undefined) throw new Error('the client sent nobody anywhere');
  return (await allow(openBrowser(auth), { url: target }, email)).searchParams;
}

interface Connected {
  call(tool: string, args?: Record<string, unknown>): Promise<unknown>;
  close(): Promise<void>;
}

type Connect = (
  identity: Identity,
  email: string,
  fetch: typeof globalThis.fetch,
) => Promise<Connected>;

const connectCurrent: Connect = async (identity, email, fetch) => {
  const provider = createProvider<
    StoredOAuthClientInformation,
    StoredOAuthTokens,
    OAuthDiscoveryState
  >(identity);
  const authProvider: OAuthClientProvider = provider;
  const client = new Client(info, { versionNegotiation: { mode: 'auto' } });
  const url = new URL(`${auth.url}/mcp`);
  const first = new StreamableHTTPClientTransport(url, { authProvider, fetch });
  await expect(client.connect(first)).rejects.toThrow(UnauthorizedError);
  await first.finishAuth(await allowAt(provider.kept.target, email));
  await client.connect(new StreamableHTTPClientTransport(url, { authProvider, fetch }));
  expect(client.getNegotiatedProtocolVersion()).toBe('2026-07-28');
  return {
    call: async (name, args = {}) =>
      (await client.callTool({ name, arguments: args })).structuredContent,
    close: () => client.close(),
  };
};

const connectFormer: Connect = async (identity, email, fetch) => {
  const provider = createProvider<OAuthClientInformationMixed, OAuthTokens, FormerDiscoveryState>(
    identity,
  );
  const authProvider: FormerProvider = provider;
  const url = new URL(`${auth.url}/mcp`);
  const first = new FormerTransport(url, { authProvider, fetch });
  await expect(new FormerClient(info).connect(first)).rejects.toThrow(FormerUnauthorizedError);
  const answered = await allowAt(provider.kept.target, email);
  await first.finishAuth(answered.get('code') ?? '');
  const client = new FormerClient(info);
  await client.connect(new FormerTransport(url, { authProvider, fetch }));
  return {
    call: async (name, args = {}) =>
      (await client.callTool({ name, arguments: args })).structuredContent,
    close: () => client.close(),
  };
};

/** What arrives where a front door renames the header that points to the sign-in. */
const renaming: typeof fetch = async (...request) => {
  const response = await fetch(...request);
  const headers = new Headers(response.headers);
  headers.delete('www-authenticate');
  return new Response(response.body, { status: response.status, headers });
};

describe.each([
  ['of 2026', connectCurrent],
  ['of 2025', connectFormer],
])('a client %s', (year, connect) => {
  it.each([
    ['finds the sign-in', fetch, 'header'],
    ['finds it where the header was renamed too', renaming, 'bare'],
  ])('%s, and acts for whoever allowed it', async (_, way, name) => {
    const handle = `${name}_${year.slice(-4)}`;
    const client = await connect(terminal, `${handle}@example.com`, way);
    expect(await client.call('status')).toMatchObject({ account: { handle }, rooms: [] });
    await client.close();
  });
});

it('Claude on the web is known by its document, and its members are so', async () => {
  const client = await connectCurrent(claude, 'claudia@example.com', fetch);
  const made = await client.call('new_room', { name: 'Web', description: '' });
  const room = String(Object(made).code);
  const intro = 'From the web.';
  expect(await client.call('join', { room, intro })).toMatchObject({
    member: 'claudia/claude-web',
    members: [{ host: 'claude-web', workspace: { repo: '', branch: '' } }],
  });
  await client.close();
});

it('a client with a document of its own is known by what its host serves', async () => {
  const clientMetadataUrl = `https://${documentHost}/oauth/client.json`;
  const redirectUrl = `https://${documentHost}/callback`;
  host.serve({
    client_id: clientMetadataUrl,
    client_name: 'Some chat',
    redirect_uris: [redirectUrl],
  });
  host.requests.length = 0;
  const identity = { redirectUrl, clientMetadataUrl };
  const client = await connectCurrent(identity, 'own@example.com', fetch);
  expect(await client.call('status')).toMatchObject({ account: { handle: 'own' } });
  expect(host.requests).toEqual(['/oauth/client.json']);
  await client.close();
});
