// Documents of clients: fetched, kept, served stale, on the real local table.
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type DocumentHost,
  documentHost,
  startDocumentHost,
} from '../../../testing/document-host.ts';
import { startTestHub, type TestHub } from '../../../testing/test-hub.ts';
import { findClientDocument } from './documents.ts';
import { redirectRules } from './redirects.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let test: TestHub;
let host: DocumentHost;
let url: string;
let made = 0;
let mayFetch = true;

beforeAll(async () => {
  [test, host] = await Promise.all([startTestHub(), startDocumentHost()]);
});
afterAll(() => Promise.all([test.close(), host.close()]));
beforeEach(() => {
  made += 1;
  url = `https://${documentHost}/${made}.json`;
  mayFetch = true;
  host.requests.length = 0;
  host.serve(document());
});

const document = (changes: object = {}) => ({
  client_id: url,
  client_name: 'Some client',
  redirect_uris: [`https://${documentHost}/callback`, 'http://127.0.0.1/callback'],
  ...changes,
});

async function find(clientId = url): Promise<Record<string, unknown> | undefined> {
  const found = await findClientDocument(
    {
      table: test.hub.table,
      network: host.network,
      rules: redirectRules([]),
      mayFetch: async () => mayFetch,
    },
    clientId,
  );
  return found === undefined ? undefined : JSON.parse(found);
}

const fail = () => host.answer((_, response) => response.writeHead(503).end());

describe('a client’s document', () => {
  it('becomes a public client with the redirect URIs it may have', async () => {
    host.serve(
      document({
        redirect_uris: [
          `https://${documentHost}/callback`,
          'https://elsewhere.example.com/callback',
          'http://localhost/callback',
          'https://claude.ai/api/mcp/auth_callback',
        ],
        logo_uri: 'https://tracker.example.com/logo.png',
        jwks_uri: 'https://169.254.169.254/keys',
        scope: 'everything',
      }),
    );
    expect(await find()).toEqual({
      client_id: url,
      client_name: 'Some client',
      redirect_uris: [
        `https://${documentHost}/callback`,
        'http://localhost/callback',
        'https://claude.ai/api/mcp/auth_callback',
      ],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    });
  });

  it.each([
    ['speaks for another URL', { client_id: 'https://client.example.com/other.json' }],
    ['has no redirect URI that is allowed', { redirect_uris: ['https://elsewhere.example.com/'] }],
    ['has none at all', { redirect_uris: [] }],
    ['insists on a secret', { token_endpoint_auth_method: 'client_secret_basic' }],
  ])('is none when it %s', async (_, changes) => {
    host.serve(document(changes));
    expect(await find()).toBeUndefined();
  });

  it('speaks for its URL as it is spelled, and no other spelling of it', async () => {
    host.serve(document({ client_id: `https://${documentHost}/x` }));
    expect(await find(`https://${documentHost}/x`)).toBeDefined();
    for (const spelled of [
      `https://${documentHost.toUpperCase()}/x`,
      `https://${documentHost}/x?`,
      `https://${documentHost}/./x`,
    ]) {
      expect(await find(spelled)).toBeUndefined();
    }
  });

  it('may rather have a key, as long as it can do without', async () => {
    host.serve(
      document({
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      }),
    );
    expect(await find()).toMatchObject({ token_endpoint_auth_method: 'none' });
  });
});

describe('what was fetched', () => {
  it('is kept for an hour at least, and a day at most, whatever its host says', async () => {
    host.serve(document(), { 'cache-control': 'max-age=1' });
    await find();
    test.shiftMs(hourMs - minuteMs);
    await find();
    expect(host.requests).toHaveLength(1);
    test.shiftMs(2 * minuteMs);
    host.serve(document(), { 'cache-control': 'max-age=99999999' });
    await find();
    expect(host.requests).toHaveLength(2);
    test.shiftMs(24 * hourMs - minuteMs);
    await find();
    expect(host.requests).toHaveLength(2);
    test.shiftMs(2 * minuteMs);
    await find();
    expect(host.requests).toHaveLength(3);
    test.shiftMs(-25 * hourMs - 2 * minuteMs);
  });

  it('serves on while its host is away, and is not asked for with every call', async () => {
    const before = await find();
    test.shiftMs(25 * hourMs);
    fail();
    expect(await find()).toEqual(before);
    expect(await find()).toEqual(before);
    expect(host.requests).toHaveLength(2);
    test.shiftMs(6 * minuteMs);
    host.serve(document({ client_name: 'Renamed' }));
    expect(await find()).toMatchObject({ client_name: 'Renamed' });
    test.shiftMs(-25 * hourMs - 6 * minuteMs);
  });

  it('is forgotten when its host is away for more than a week', async () => {
    await find();
    fail();
    test.shiftMs(7 * 24 * hourMs - minuteMs);
    expect(await find()).toBeDefined();
    test.shiftMs(6 * minuteMs);
    expect(await find()).toBeUndefined();
    test.shiftMs(-7 * 24 * hourMs - 5 * minuteMs);
  });

  it('is remembered to be nothing for a minute', async () => {
    fail();
    expect(await find()).toBeUndefined();
    host.serve(document());
    expect(await find()).toBeUndefined();
    expect(host.requests).toHaveLength(1);
    test.shiftMs(minuteMs + 1_000);
    expect(await find()).toBeDefined();
    test.shiftMs(-minuteMs - 1_000);
  });

  it('is not fetched for an address that had too many fetched', async () => {
    mayFetch = false;
    expect(await find()).toBeUndefined();
    expect(host.requests).toEqual([]);
    mayFetch = true;
    expect(await find()).toBeDefined();
  });
});

describe('well-known clients', () => {
  it.each([
    [
      'https://claude.ai/oauth/mcp-oauth-client-metadata',
      'https://claude.ai/api/mcp/auth_callback',
    ],
    ['https://claude.ai/oauth/claude-code-client-metadata', 'http://localhost/callback'],
    [
      'https://chatgpt.com/oauth/client.json',
      'https://chatgpt.com/connector_platform_oauth_redirect',
    ],
    ['https://chatgpt.com/oauth/abc123/client.json', 'https://chatgpt.com/connector/oauth/abc123'],
    ['https://chatgpt.com/oauth/codex/client.json', 'http://127.0.0.1/callback'],
    ['https://chatgpt.com/oauth/codex/a-1/client.json', 'http://127.0.0.1/callback/a-1'],
    ['https://vscode.dev/oauth/client-metadata.json', 'https://vscode.dev/redirect'],
  ])('are known before their hosts answer: %s', async (clientId, redirect) => {
    host.resolveTo([]);
    const found = await find(clientId);
    expect(found).toMatchObject({ client_id: clientId, token_endpoint_auth_method: 'none' });
    expect(found?.['redirect_uris']).toContain(redirect);
    host.resolveTo(['93.184.215.14']);
  });
});
