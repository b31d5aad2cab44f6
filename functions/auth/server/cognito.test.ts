// The sign-in at Cognito, against the stand-in: what comes back counts for who was sent off, only.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createBrowser, readAlert } from '../../../local/cognito/browser.ts';
import { openBrowser, pageOf, submit } from '../../testing/oauth-client.ts';
import { authClientId, startTestAuth, type TestAuth } from '../../testing/test-auth.ts';
import { cognitoSignIn, type SignInSecrets } from './cognito.ts';

let auth: TestAuth;
let signIn: ReturnType<typeof cognitoSignIn>;

const pool = () => ({
  issuer: auth.cognito.issuer,
  jwksUri: auth.cognito.jwksUri,
  loginUrl: auth.cognito.baseUrl,
  clientId: authClientId,
});

beforeAll(async () => {
  auth = await startTestAuth();
  signIn = cognitoSignIn({ hubUrl: auth.url, pool: pool() });
});
afterAll(() => auth.close());

const secrets: SignInSecrets = { state: 'state', nonce: 'nonce', verifier: 'v'.repeat(43) };

/** A person signs in at Cognito; gives the code that comes back. */
async function codeFor(email: string, sent = secrets): Promise<string> {
  const browser = createBrowser(auth.cognito.baseUrl);
  const login = await pageOf(await browser.open(signIn.authorizeUrl(sent, { again: false })));
  const back = await submit(browser, login, { email });
  if (!(back instanceof URL)) throw new Error('not sent back');
  expect(`${back.origin}${back.pathname}`).toBe(`${auth.url}/oauth/callback`);
  expect(back.searchParams.get('state')).toBe(sent.state);
  return back.searchParams.get('code') ?? '';
}

describe('while Cognito does not answer', () => {
  it('a person is told so on a page, and the log by a name', async () => {
    const own = await startTestAuth();
    const browser = openBrowser({ ...own, url: 'http://nowhere.invalid' });
    const login = await pageOf(await openBrowser(own).open(`${own.url}/device`));
    expect(login.url).toContain('/login/');
    const toCognito = await browser.open(`${own.url}/device`);
    const page = toCognito instanceof URL ? undefined : await pageOf(toCognito);
    if (page === undefined) throw new Error('not at the login page');
    const back = await submit(browser, page, { email: 'ana@example.com' });
    await own.cognito.close();
    const returning = openBrowser(own);
    for (const [name, value] of browser.cookies) returning.cookies.set(name, value);
    const shown = await returning.open(String(back));
    if (shown instanceof URL) throw new Error('sent on');
    expect(shown.status).toBe(503);
    expect(readAlert(await shown.text())).toContain('try again');
    expect(own.faults).toMatchObject([{ level: 'error', fault: 'TypeError' }]);
    await own.close();
  });
});

describe('a code from Cognito', () => {
  it('is the account of the person, the same one each time', async () => {
    const first = await signIn.accountOf(await codeFor('ana@example.com'), secrets);
    expect(first).toMatch(/^[\w-]{36}$/);
    expect(await signIn.accountOf(await codeFor('ana@example.com'), secrets)).toBe(first);
    expect(await signIn.accountOf(await codeFor('ben@example.com'), secrets)).not.toBe(first);
  });

  it('counts for nothing with another nonce, another verifier, or a second time', async () => {
    for (const changes of [{ nonce: 'other' }, { verifier: 'w'.repeat(43) }]) {
      const code = await codeFor('ana@example.com');
      expect(await signIn.accountOf(code, { ...secrets, ...changes })).toBeUndefined();
    }
    const code = await codeFor('ana@example.com');
    await signIn.accountOf(code, secrets);
    expect(await signIn.accountOf(code, secrets)).toBeUndefined();
  });

  it('is only believed with the signature and the name of this pool', async () => {
    const stranger = cognitoSignIn({
      hubUrl: auth.url,
      pool: { ...pool(), issuer: `${auth.cognito.baseUrl}/another` },
    });
    const code = await codeFor('ana@example.com');
    expect(await stranger.accountOf(code, secrets)).toBeUndefined();
  });
});
