// What an attacker may try against the authorization server, one test for each.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { readAlert, readForm } from '../../../local/cognito/browser.ts';
import { documentHost, startDocumentHost } from '../../testing/document-host.ts';
import {
  allow,
  type Client,
  claudeRedirect,
  connect,
  exchange,
  openBrowser,
  pageOf,
  register,
  requestOf,
  submit,
  TokenAnswer,
} from '../../testing/oauth-client.ts';
import { startTestAuth, type TestAuth } from '../../testing/test-auth.ts';
import { connectorTokens } from '../connector-token.ts';

let auth: TestAuth;
let client: Client;
beforeAll(async () => {
  auth = await startTestAuth();
  client = await register(auth, claudeRedirect);
});
afterAll(async () => {
  expect(auth.faults).toEqual([]);
  await auth.close();
});

/** What came back to the client. */
const parametersOf = (shown: Response | URL) =>
  shown instanceof URL ? Object.fromEntries(shown.searchParams) : { at: shown.url };

/** Signs a person in once, so that Cognito knows the browser from now on. */
async function signedInBrowser(email: string) {
  const browser = openBrowser(auth);
  await allow(browser, requestOf(auth, client), email);
  return browser;
}

describe('a confused deputy', () => {
  it('gets no code from a browser that is signed in, before the person allowed that client', async () => {
    const browser = await signedInBrowser('ana@example.com');
    const evil = await register(auth, 'http://localhost:6666/steal');
    const shown = await browser.open(requestOf(auth, evil).url);
    const page = await pageOf(shown);
    expect(new URL(page.url).pathname).toMatch(/^\/oauth\/consent\//);
    // Nor by going on without the page's answer.
    const interaction = new URL(page.url).pathname.split('/').at(-1) ?? '';
    const resumed = await browser.open(`${auth.url}/oauth/authorize/${interaction}`);
    expect(parametersOf(resumed)).not.toHaveProperty('code');
  });

  it('is not helped by consent that was given to another client', async () => {
    const browser = await signedInBrowser('ben@example.com');
    const shown = await browser.open(requestOf(auth, await register(auth, claudeRedirect)).url);
    expect((await pageOf(shown)).text).toContain('Connect to your rooms?');
  });
});

describe('a redirect URI', () => {
  it.each([
    'https://claude.ai/api/mcp/auth_callback/',
    'https://claude.ai/api/mcp/auth_callback?x=1',
    'https://evil.example.com/',
    'http://localhost/callback',
    undefined,
  ])(
    'that was not registered is answered with a page, never followed: %s',
    async (redirect_uri) => {
      const other = await register(
        auth,
        claudeRedirect,
        'https://claude.com/api/mcp/auth_callback',
      );
      const shown = await openBrowser(auth).open(requestOf(auth, other, { redirect_uri }).url);
      const page = await pageOf(shown);
      expect(readAlert(page.text)).toMatch(/redirect_uri/);
    },
  );

  it('of an unknown client is not followed either', async () => {
    const unknown = { clientId: 'https://unknown.example.com/x', redirectUri: claudeRedirect };
    for (const candidate of [unknown, { ...unknown, clientId: 'unknown' }]) {
      const shown = await openBrowser(auth).open(requestOf(auth, candidate).url);
      expect(readAlert((await pageOf(shown)).text)).toContain('invalid_client');
    }
  });

  it('has to be the same one when the code is exchanged', async () => {
    const pending = requestOf(auth, client);
    const returned = await allow(openBrowser(auth), pending, 'cleo@example.com');
    const { body } = await exchange(auth, pending, returned, {
      redirect_uri: 'https://claude.com/api/mcp/auth_callback',
    });
    expect(body).toMatchObject({ error: 'invalid_grant' });
  });
});

describe('a code', () => {
  it('that is used twice ends what the first use gave', async () => {
    const pending = requestOf(auth, client);
    const returned = await allow(openBrowser(auth), pending, 'dora@example.com');
    const tokens = TokenAnswer.parse((await exchange(auth, pending, returned)).body);
    expect(await auth.connector(tokens.access_token)).toBeDefined();
    expect((await exchange(auth, pending, returned)).body).toMatchObject({
      error: 'invalid_grant',
    });
    expect(await auth.connector(tokens.access_token)).toBeUndefined();
  });

  it('that is used many times at once gives tokens once at most', async () => {
    const pending = requestOf(auth, client);
    const returned = await allow(openBrowser(auth), pending, 'elle@example.com');
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => exchange(auth, pending, returned)),
    );
    expect(answers.filter(({ status }) => status === 200).length).toBeLessThanOrEqual(1);
  });

  it('is of no use without the verifier, or to another client', async () => {
    const pending = requestOf(auth, client);
    const returned = await allow(openBrowser(auth), pending, 'fay@example.com');
    const other = await register(auth, claudeRedirect);
    for (const changes of [
      { code_verifier: randomBytes(32).toString('base64url') },
      { code_verifier: '' },
      { client_id: other.clientId },
    ]) {
      const { status, body } = await exchange(auth, pending, returned, changes);
      expect(status).toBe(400);
      expect(body).toMatchObject({ error: expect.stringMatching(/^invalid_(grant|request)$/) });
    }
    expect((await exchange(auth, pending, returned)).status).toBe(200);
  });

  it('is good for a minute', async () => {
    const pending = requestOf(auth, client);
    const returned = await allow(openBrowser(auth), pending, 'gus@example.com');
    auth.test.shiftMs(61_000);
    expect((await exchange(auth, pending, returned)).body).toMatchObject({
      error: 'invalid_grant',
    });
    auth.test.shiftMs(-61_000);
  });

  it('is only asked for with PKCE, and S256', async () => {
    for (const changes of [
      { code_challenge: undefined, code_challenge_method: undefined },
      { code_challenge_method: 'plain' },
      { code_challenge_method: undefined },
    ]) {
      const shown = await openBrowser(auth).open(requestOf(auth, client, changes).url);
      expect(parametersOf(shown)).toMatchObject({ error: 'invalid_request', iss: auth.url });
    }
  });
});

describe('a resource', () => {
  it.each(['https://other.example.com/mcp', 'HUB', 'HUB/', 'HUB/mcp/', 'HUB/mcp?x=1', undefined])(
    'that is not this Hub’s is refused: %s',
    async (named) => {
      const resource = named?.replace('HUB', auth.url);
      const shown = await openBrowser(auth).open(requestOf(auth, client, { resource }).url);
      expect(parametersOf(shown)).toMatchObject({ error: 'invalid_target', iss: auth.url });
    },
  );

  it('named at the exchange has to be the one that was granted', async () => {
    const pending = requestOf(auth, client);
    const returned = await allow(openBrowser(auth), pending, 'gil@example.com');
    const { body } = await exchange(auth, pending, returned, {
      resource: 'https://other.example.com/mcp',
    });
    expect(body).toMatchObject({ error: 'invalid_target' });
  });

  it('of another Hub’s tokens is not this one', async () => {
    const { access_token } = await connect(auth, client, 'gil@example.com');
    const elsewhere = connectorTokens(auth.hub.table, 'https://other.example.com/mcp');
    expect(await elsewhere(access_token)).toBeUndefined();
  });
});

describe('a mix-up', () => {
  it('is told by the issuer, once, in every answer a client gets', async () => {
    const answers = [
      await allow(openBrowser(auth), requestOf(auth, client), 'hal@example.com'),
      await openBrowser(auth).open(requestOf(auth, client, { response_type: 'token' }).url),
      await openBrowser(auth).open(
        requestOf(auth, client, { response_mode: 'fragment', prompt: 'none' }).url,
      ),
      await openBrowser(auth).open(
        requestOf(auth, client, { response_mode: 'form_post', prompt: 'none' }).url,
      ),
    ];
    for (const answer of answers) {
      expect(answer instanceof URL && answer.searchParams.getAll('iss')).toEqual([auth.url]);
      expect(answer instanceof URL && answer.hash).toBe('');
    }
  });

  it('cannot be prepared in a redirect URI of a client’s document', async () => {
    const host = await startDocumentHost();
    const own = await startTestAuth({ network: host.network });
    const clientId = `https://${documentHost}/client.json`;
    const planted = `https://${documentHost}/cb?iss=https://evil.example.com`;
    host.serve({ client_id: clientId, redirect_uris: [planted, `https://${documentHost}/cb`] });
    const client = { clientId, redirectUri: planted };
    const shown = await pageOf(await openBrowser(own).open(requestOf(own, client).url));
    expect(readAlert(shown.text)).toContain('redirect_uri');
    await Promise.all([own.close(), host.close()]);
  });
});

describe('a forged request', () => {
  it('does not consent: the form’s token belongs to one interaction of one browser', async () => {
    const browser = openBrowser(auth);
    const page = await pageOf(await browser.open(requestOf(auth, client).url));
    const attacker = openBrowser(auth);
    const foreign = await pageOf(await attacker.open(requestOf(auth, client).url));
    for (const csrf of ['', 'x', readForm(foreign.text)?.fields['csrf'] ?? '']) {
      const shown = await pageOf(await browser.open(page.url, { csrf, decision: 'allow' }));
      expect(readAlert(shown.text)).toContain('start again');
    }
    // The right token, from a browser that does not have the interaction.
    const { csrf = '' } = readForm(page.text)?.fields ?? {};
    const shown = await pageOf(await attacker.open(page.url, { csrf, decision: 'allow' }));
    expect(readAlert(shown.text)).toContain('start again');
  });

  it('does not sign a browser in as somebody else', async () => {
    const attacker = openBrowser({ ...auth, cognito: { ...auth.cognito, baseUrl: auth.url } });
    const consent = await pageOf(await attacker.open(requestOf(auth, client).url));
    const toCognito = await submit(attacker, consent, { decision: 'allow' });
    expect(toCognito).toBeInstanceOf(URL);
    // The victim goes on where the attacker stopped.
    const victim = openBrowser(auth);
    const login = await pageOf(await victim.open(String(toCognito)));
    const shown = await pageOf(await submit(victim, login, { email: 'ida@example.com' }));
    expect(readAlert(shown.text)).toContain('start again');
    expect([...victim.cookies.keys()].some((name) => name.endsWith('_session'))).toBe(true);
    expect(victim.cookies.has(`tandry_${new URL(auth.url).port}_session`)).toBe(false);
  });

  it('does not end somebody else’s sign-in either', async () => {
    const browser = openBrowser({ ...auth, cognito: { ...auth.cognito, baseUrl: auth.url } });
    const consent = await pageOf(await browser.open(requestOf(auth, client).url));
    const toCognito = await submit(browser, consent, { decision: 'allow' });
    const state = toCognito instanceof URL ? (toCognito.searchParams.get('state') ?? '') : '';
    const [journey = ''] = state.split('.');
    for (const forged of [`${journey}.forged`, journey, `${state}x`]) {
      const query = new URLSearchParams({ state: forged, error: 'access_denied' });
      const shown = await pageOf(await browser.open(`${auth.url}/oauth/callback?${query}`));
      expect(readAlert(shown.text)).toContain('start again');
    }
    const own = new URLSearchParams({ state, error: 'access_denied' });
    const shown = await browser.open(`${auth.url}/oauth/callback?${own}`);
    expect(parametersOf(shown)).toMatchObject({ error: 'access_denied', iss: auth.url });
  });

  it('does not pick a handle', async () => {
    const browser = openBrowser(auth);
    const consent = await pageOf(await browser.open(requestOf(auth, client).url));
    const login = await pageOf(await submit(browser, consent, { decision: 'allow' }));
    const page = await pageOf(await submit(browser, login, { email: 'jan@example.com' }));
    const shown = await pageOf(await browser.open(page.url, { csrf: 'x', handle: 'hijacked' }));
    expect(readAlert(shown.text)).toContain('start again');
    const other = openBrowser(auth);
    expect(readAlert((await pageOf(await other.open(page.url))).text)).toContain('start again');
  });

  it('cannot be made of a cookie: nobody but the server makes one it reads', async () => {
    const browser = openBrowser(auth);
    await browser.open(`${auth.url}/device`);
    const name = `tandry_${new URL(auth.url).port}_session`;
    const forged = { until: Date.now() + 60_000, content: { account: 'victim', id: 'x' } };
    for (const value of [JSON.stringify(forged), 'AAAA', randomBytes(200).toString('base64url')]) {
      browser.cookies.set(name, Buffer.from(value).toString('base64url'));
      const { url } = await pageOf(await browser.open(`${auth.url}/device`));
      expect(url).toContain('/login/');
    }
  });
});

describe('a browser that keeps its cookies', () => {
  it('is nobody’s any more after half an hour, and not on its way after a quarter', async () => {
    const stranger = { ...auth, cognito: { ...auth.cognito, baseUrl: auth.url } };
    const known = await signedInBrowser('liv@example.com');
    const browser = openBrowser(stranger);
    for (const [name, value] of known.cookies) browser.cookies.set(name, value);
    const page = await pageOf(await browser.open(`${auth.url}/device`));
    expect(page.text).toContain('<strong>liv</strong>');

    const other = openBrowser(stranger);
    const toCognito = await other.open(`${auth.url}/device`);
    const state = toCognito instanceof URL ? (toCognito.searchParams.get('state') ?? '') : '';
    auth.test.shiftMs(15 * 60_000);
    const query = new URLSearchParams({ state, error: 'access_denied' });
    const back = await pageOf(await other.open(`${auth.url}/oauth/callback?${query}`));
    expect(readAlert(back.text)).toContain('start again');
    auth.test.shiftMs(15 * 60_000);
    expect(await browser.open(`${auth.url}/device`)).toBeInstanceOf(URL);
    auth.test.shiftMs(-30 * 60_000);
  });
});

describe('a token', () => {
  it('is never passed through: not ours to Cognito, nor Cognito’s to a client', async () => {
    const seen: { url: string; said: string; answer: string }[] = [];
    const real = globalThis.fetch;
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
      const response = await real(input, init);
      const said = `${init?.body ?? ''} ${JSON.stringify(init?.headers ?? {})}`;
      const url = input instanceof Request ? input.url : String(input);
      seen.push({ url, said, answer: await response.clone().text() });
      return response;
    });
    const tokens = await connect(auth, client, 'kay@example.com');
    vi.restoreAllMocks();
    const toCognito = seen.filter(({ url }) => url.startsWith(auth.cognito.baseUrl));
    const ours = seen.filter(({ url }) => url.startsWith(auth.url));
    // Cognito gave its tokens to the Hub in this very connection.
    expect(toCognito.some(({ answer }) => answer.includes('"id_token":"eyJ'))).toBe(true);
    for (const { url, said } of toCognito) expect(url + said).not.toMatch(/tandry_[cdr]_/);
    for (const { answer } of ours) expect(answer).not.toContain('eyJ');
    expect(JSON.stringify(tokens)).toMatch(/tandry_c_.*tandry_r_/);
  });
});
