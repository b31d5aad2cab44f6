// Connecting a client, as Claude, ChatGPT and others do it, on the real table and the Cognito
// stand-in. Nothing of the internet is there: well-known clients are known without it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { readAlert } from '../../../local/cognito/browser.ts';
import {
  allow,
  type Client,
  claudeRedirect,
  connect,
  exchange,
  handleOf,
  openBrowser,
  pageOf,
  post,
  refresh,
  register,
  requestOf,
  submit,
  TokenAnswer,
} from '../../testing/oauth-client.ts';
import { startTestAuth, type TestAuth } from '../../testing/test-auth.ts';

let auth: TestAuth;
beforeAll(async () => {
  auth = await startTestAuth();
});
afterAll(async () => {
  expect(auth.faults).toEqual([]);
  await auth.close();
});

const wellKnown = async (path: string) => {
  const response = await fetch(`${auth.url}/.well-known/${path}`);
  const text = await response.text();
  return { status: response.status, text, body: response.ok ? JSON.parse(text) : undefined };
};

/** Whose a connector's token is, as `/mcp` asks. */

const claude: Client = {
  clientId: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
  redirectUri: claudeRedirect,
};
const chatGpt: Client = {
  clientId: 'https://chatgpt.com/oauth/client.json',
  redirectUri: 'https://chatgpt.com/connector_platform_oauth_redirect',
};

describe('what a client reads first', () => {
  it('is one issuer everywhere, byte for byte, and where everything is', async () => {
    const { body, text } = await wellKnown('oauth-authorization-server');
    expect(body).toEqual({
      issuer: auth.url,
      authorization_endpoint: `${auth.url}/oauth/authorize`,
      token_endpoint: `${auth.url}/oauth/token`,
      registration_endpoint: `${auth.url}/oauth/register`,
      revocation_endpoint: `${auth.url}/oauth/revoke`,
      device_authorization_endpoint: `${auth.url}/oauth/device_authorization`,
      grant_types_supported: [
        'authorization_code',
        'refresh_token',
        'urn:ietf:params:oauth:grant-type:device_code',
      ],
      response_types_supported: ['code'],
      response_modes_supported: ['query'],
      scopes_supported: ['rooms', 'offline_access'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    });
    expect(text).toContain(`"issuer":"${auth.url}"`);
  });

  it('is the protected resource, at both of its paths', async () => {
    for (const path of ['oauth-protected-resource', 'oauth-protected-resource/mcp']) {
      expect((await wellKnown(path)).body).toEqual({
        resource: `${auth.url}/mcp`,
        authorization_servers: [auth.url],
        scopes_supported: ['rooms'],
        bearer_methods_supported: ['header'],
        resource_name: 'Tandry',
      });
    }
  });

  it('may be read, and a client registered, by a page of any origin', async () => {
    const headers = {
      origin: 'https://inspector.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type, mcp-protocol-version',
    };
    for (const path of [
      '/.well-known/oauth-protected-resource/mcp',
      '/.well-known/oauth-authorization-server',
      '/oauth/register',
      '/oauth/token',
    ]) {
      const response = await fetch(`${auth.url}${path}`, { method: 'OPTIONS', headers });
      expect(response.status, path).toBe(204);
      const allowed = response.headers.get('access-control-allow-origin') ?? '';
      expect(['*', headers.origin], path).toContain(allowed);
      const named = response.headers.get('access-control-allow-headers');
      expect(named, path).toBe(headers['access-control-request-headers']);
    }
    const response = await fetch(`${auth.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', origin: headers.origin },
      body: JSON.stringify({ redirect_uris: [claudeRedirect] }),
    });
    expect(response.status).toBe(201);
    expect(response.headers.get('access-control-allow-origin')).toBe('*');
  });

  it('is no OpenID provider', async () => {
    expect((await wellKnown('openid-configuration')).status).toBe(404);
  });

  it('says so whatever host and scheme a request claims to have come by', async () => {
    const headers = { 'x-forwarded-host': 'evil.example.com', 'x-forwarded-proto': 'https' };
    const response = await fetch(`${auth.url}/.well-known/oauth-authorization-server`, { headers });
    expect(await response.json()).toMatchObject({ token_endpoint: `${auth.url}/oauth/token` });
  });
});

describe('Claude', () => {
  it('connects by its document, a new person with it, and refreshes', async () => {
    const pending = requestOf(auth, claude);
    const returned = await allow(openBrowser(auth), pending, 'ana@example.com');
    expect(`${returned.origin}${returned.pathname}`).toBe(claudeRedirect);
    expect(returned.searchParams.get('state')).toBe(pending.state);
    expect(returned.searchParams.get('iss')).toBe(auth.url);

    const { status, body, headers } = await exchange(auth, pending, returned);
    expect({ status, cache: headers.get('cache-control') }).toEqual({
      status: 200,
      cache: 'no-store',
    });
    const tokens = TokenAnswer.parse(body);
    expect(tokens).toMatchObject({ token_type: 'Bearer', expires_in: 3600, scope: 'rooms' });
    expect(tokens.access_token).toMatch(/^tandry_c_/);
    const principal = await auth.connector(tokens.access_token);
    expect(principal).toMatchObject({ kind: 'connector', host: 'claude-web' });

    const refreshed = TokenAnswer.parse((await refresh(auth, claude, tokens.refresh_token)).body);
    expect(await auth.connector(refreshed.access_token)).toEqual(principal);
  });

  it('connects by a registration, a new one each time', async () => {
    const [one, two] = [await register(auth, claudeRedirect), await register(auth, claudeRedirect)];
    expect(one.clientId).not.toBe(two.clientId);
    const tokens = await connect(auth, two, 'ben@example.com');
    expect(await auth.connector(tokens.access_token)).toMatchObject({ host: 'claude-web' });
  });

  it('is told to register again once its registration is unknown', async () => {
    const { status, body } = await refresh(auth, { ...claude, clientId: 'gone' }, 'tandry_r_x');
    expect({ status, body }).toMatchObject({ status: 401, body: { error: 'invalid_client' } });
  });
});

describe('ChatGPT', () => {
  it('connects from its own origin, and is still known after a restart', async () => {
    const registered = await register(auth, 'https://chatgpt.com/connector/oauth/Ab_1');
    for (const client of [chatGpt, registered]) {
      const pending = requestOf(auth, client, { prompt: 'consent' });
      const returned = await allow(openBrowser(auth), pending, 'cleo@example.com');
      // What decides whether it uses its stable callback.
      const [{ body: resource }, { body: server }] = [
        await wellKnown('oauth-protected-resource/mcp'),
        await wellKnown('oauth-authorization-server'),
      ];
      expect(returned.searchParams.get('iss')).toBe(server.issuer);
      expect(server.issuer).toBe(resource.authorization_servers[0]);
      auth.restart();
      const { body, headers } = await post(
        auth,
        '/oauth/token',
        {
          grant_type: 'authorization_code',
          client_id: client.clientId,
          redirect_uri: client.redirectUri,
          code: returned.searchParams.get('code') ?? '',
          code_verifier: pending.verifier,
          resource: `${auth.url}/mcp`,
        },
        { origin: 'https://chatgpt.com' },
      );
      expect(headers.get('access-control-allow-origin')).toBe('https://chatgpt.com');
      const tokens = TokenAnswer.parse(body);
      expect(await auth.connector(tokens.access_token)).toMatchObject({ host: 'chatgpt-web' });
      auth.restart();
      const again = TokenAnswer.parse((await refresh(auth, client, tokens.refresh_token)).body);
      expect(await auth.connector(again.access_token)).toMatchObject({ host: 'chatgpt-web' });
    }
  });
});

describe('programs on somebody’s machine', () => {
  it.each([
    ['https://claude.ai/oauth/claude-code-client-metadata', 'http://localhost:52001/callback'],
    ['https://claude.ai/oauth/claude-code-client-metadata', 'http://127.0.0.1:52002/callback'],
    ['https://chatgpt.com/oauth/codex/client.json', 'http://127.0.0.1:52003/callback'],
    ['https://chatgpt.com/oauth/codex/id-1/client.json', 'http://127.0.0.1:52004/callback/id-1'],
    ['https://vscode.dev/oauth/client-metadata.json', 'http://127.0.0.1:52005/'],
    ['https://vscode.dev/oauth/client-metadata.json', 'https://vscode.dev/redirect'],
  ])('connect at whatever port they listen on: %s at %s', async (clientId, redirectUri) => {
    const tokens = await connect(auth, { clientId, redirectUri }, 'dora@example.com');
    expect(await auth.connector(tokens.access_token)).toMatchObject({ host: 'web' });
  });

  it('register with a port and come with another', async () => {
    const { clientId } = await register(auth, 'http://localhost:6274/oauth/callback');
    const client = { clientId, redirectUri: 'http://localhost:6275/oauth/callback' };
    const tokens = await connect(auth, client, 'dora@example.com');
    expect(await auth.connector(tokens.access_token)).toMatchObject({ host: 'web' });
  });
});

describe('the consent page', () => {
  const consentOf = async (client: Client, browser = openBrowser(auth)) => {
    const response = await browser.open(requestOf(auth, client).url);
    if (response instanceof URL) throw new Error(`sent to ${response}`);
    return { text: await response.text(), headers: response.headers, browser, url: response.url };
  };

  it('names the client’s host and where its codes go, and warns of programs nearby', async () => {
    const web = await consentOf(claude);
    expect(web.text).toContain('<dd>claude.ai</dd>');
    expect(web.text).not.toContain('on your own computer');
    const { clientId } = await register(auth, 'http://localhost:1234/cb');
    const near = await consentOf({ clientId, redirectUri: 'http://localhost:1234/cb' });
    expect(near.text).toContain('A program that registered itself here');
    expect(near.text).toContain('<dd>This computer (localhost:1234)</dd>');
    expect(near.text).toContain('on your own computer');
    // Whatever program took that scheme for its own.
    const redirectUri = 'cursor://anysphere.cursor-mcp/oauth/callback';
    const scheme = await consentOf(await register(auth, redirectUri));
    expect(scheme.text).toContain('<dd>The program that opens cursor: links</dd>');
    expect(scheme.text).toContain('on your own computer');
  });

  it('lets its form lead to Cognito and on to the client, and nowhere else', async () => {
    const { headers } = await consentOf(claude);
    const cognito = new URL(auth.cognito.baseUrl).origin;
    const policy = headers.get('content-security-policy');
    expect(policy).toContain(`form-action 'self' ${cognito} https://claude.ai;`);
    expect(policy).toContain("frame-ancestors 'none'");
    const { clientId } = await register(auth, 'cursor://anysphere.cursor-mcp/oauth/callback');
    const redirectUri = 'cursor://anysphere.cursor-mcp/oauth/callback';
    const other = await consentOf({ clientId, redirectUri });
    expect(other.headers.get('content-security-policy')).toContain(`${cognito} cursor:;`);
  });

  it('shows a name without what turns a text around or hides in it', async () => {
    const response = await fetch(`${auth.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: '\u202eedualC\u202c yb \u200bdekcehC',
        redirect_uris: [claudeRedirect],
      }),
    });
    const { client_id } = z.object({ client_id: z.string() }).parse(await response.json());
    const { text } = await consentOf({ clientId: client_id, redirectUri: claudeRedirect });
    expect(text).toContain('<dd>edualC yb dekcehC</dd>');
  });

  it('shows no markup that a client put into its name', async () => {
    const response = await fetch(`${auth.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: '<img src=x onerror=alert(1)>',
        redirect_uris: [claudeRedirect],
      }),
    });
    const { client_id } = z.object({ client_id: z.string() }).parse(await response.json());
    const { text } = await consentOf({ clientId: client_id, redirectUri: claudeRedirect });
    expect(text).toContain('&lt;img src=x');
    expect(text).not.toContain('<img');
  });

  it('asks every time, and names the account a browser signed in with before', async () => {
    const browser = openBrowser(auth);
    const email = 'elle@example.com';
    await allow(browser, requestOf(auth, claude), email);
    const again = await consentOf(claude, browser);
    expect(again.text).toContain(`<dd>${handleOf(email)}</dd>`);
    expect(again.text).toContain('Allow for another account');
    const returned = await submit(browser, again, { decision: 'allow' });
    expect(returned).toBeInstanceOf(URL);
  });

  it('is shown again, with the right name, when another person signed in than it named', async () => {
    const browser = openBrowser(auth);
    await allow(browser, requestOf(auth, claude), 'fay@example.com');
    const page = await consentOf(claude, browser);
    expect(page.text).toContain('<dd>fay</dd>');
    // Meanwhile the browser signed in as somebody else at Cognito.
    for (const name of browser.cookies.keys()) {
      if (name.startsWith('cognito')) browser.cookies.delete(name);
    }
    const login = await pageOf(await submit(browser, page, { decision: 'allow' }));
    const handle = await pageOf(await submit(browser, login, { email: 'gil@example.com' }));
    const again = await pageOf(await submit(browser, handle, { handle: 'gil' }));
    expect(again.text).toContain('<dd>gil</dd>');
    const returned = await submit(browser, again, { decision: 'allow' });
    expect(returned instanceof URL && returned.searchParams.get('code')).toBeTruthy();
  });

  it('tells the client, and the client alone, that the person declined', async () => {
    const pending = requestOf(auth, claude);
    const browser = openBrowser(auth);
    const page = await pageOf(await browser.open(pending.url));
    const returned = await submit(browser, page, { decision: 'decline' });
    const parameters = returned instanceof URL ? Object.fromEntries(returned.searchParams) : {};
    expect(parameters).toEqual({
      error: 'access_denied',
      error_description: 'the person declined',
      state: pending.state,
      iss: auth.url,
    });
  });
});

describe('an authorization', () => {
  it('gives the one scope, whatever was asked for', async () => {
    for (const scope of [undefined, 'openid profile', 'rooms', 'other']) {
      const pending = requestOf(auth, claude, { scope, nonce: 'n', max_age: '60' });
      const returned = await allow(openBrowser(auth), pending, 'hal@example.com');
      const { body } = await exchange(auth, pending, returned);
      expect(body).toMatchObject({ scope: 'rooms', refresh_token: expect.any(String) });
      expect(body).not.toHaveProperty('id_token');
    }
  });

  it('without a person is refused, with the issuer in the answer', async () => {
    const shown = await openBrowser(auth).open(requestOf(auth, claude, { prompt: 'none' }).url);
    const parameters = shown instanceof URL ? Object.fromEntries(shown.searchParams) : {};
    expect(parameters).toMatchObject({ error: 'login_required', iss: auth.url });
  });

  it('ends with a page when the person comes too late', async () => {
    const browser = openBrowser(auth);
    const shown = await pageOf(await browser.open(`${auth.url}/oauth/consent/unknown`));
    expect(readAlert(shown.text)).toContain('start again');
  });
});
