// The device page, as a person's browser meets it, on the real table and the Cognito stand-in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Browser, readAlert } from '../../../local/cognito/browser.ts';
import { openBrowser, pageOf, submit } from '../../testing/oauth-client.ts';
import { addressHeader, startTestAuth, type TestAuth } from '../../testing/test-auth.ts';
import { callWith } from '../../testing/test-devices.ts';

let auth: TestAuth;
beforeAll(async () => {
  auth = await startTestAuth();
});
afterAll(() => auth.close());

/** Starts a login over HTTP, as a machine does. */
function start(label?: string) {
  return callWith(auth.hub, 'login_start', { label }, { address: `${Math.random()}` });
}

const statusOf = (deviceCode: string) => callWith(auth.hub, 'login_status', { deviceCode });

interface Shown {
  readonly url: string;
  readonly text: string;
}

/** A browser whose person is signed in and has a handle, on the device page. */
async function arrive(email: string, url = `${auth.url}/device`) {
  const browser = openBrowser(auth);
  const login = await pageOf(await browser.open(url));
  const picking = await pageOf(await submit(browser, login, { email }));
  const handle = email.split('@')[0] ?? '';
  const page = await pageOf(await submit(browser, picking, { handle }));
  return { browser, page };
}

async function type(browser: Browser, page: Shown, code: string): Promise<Shown> {
  return pageOf(await submit(browser, page, { user_code: code }));
}

async function press(browser: Browser, page: Shown, decision: string): Promise<Shown> {
  return pageOf(await submit(browser, page, { decision }));
}

describe('signing a machine in', () => {
  it('takes a new person from the URL to a handle and an approved machine', async () => {
    const { url, userCode, deviceCode } = await start('Ana’s <laptop>');
    const { browser, page } = await arrive('ana@example.com', url);
    // The code of the URL stands in the form, to be compared and confirmed.
    expect(page.text).toContain(`value="${userCode}"`);
    expect(page.text).toContain('<strong>ana</strong>');

    const review = await pageOf(await submit(browser, page, { user_code: userCode }));
    expect(review.text).toContain('Ana’s &lt;laptop&gt;');
    expect(review.text).toContain('Read and write in your rooms, as you');
    expect(review.text).toContain('if you started this yourself');
    expect(await statusOf(deviceCode)).toEqual({ state: 'pending' });

    const done = await press(browser, review, 'approve');
    expect(readAlert(done.text)).toContain('signed in');
    const status = await statusOf(deviceCode);
    expect(status).toMatchObject({ state: 'approved', account: { handle: 'ana' } });
    const bearer = status.state === 'approved' ? status.token : '';
    const { devices } = await callWith(auth.hub, 'devices', {}, { bearer });
    expect(devices).toMatchObject([{ label: 'Ana’s <laptop>', current: true }]);
  });

  it('takes a code in any spelling, and remembers who signed in a moment ago', async () => {
    const { browser } = await arrive('bea@example.com');
    const { userCode, deviceCode } = await start();
    const page = await pageOf(await browser.open(`${auth.url}/device`));
    const review = await type(browser, page, ` ${userCode.toLowerCase().replace('-', ' ')} `);
    await press(browser, review, 'approve');
    expect(await statusOf(deviceCode)).toMatchObject({ state: 'approved' });
  });

  it('is denied when the person declines', async () => {
    const { userCode, deviceCode } = await start();
    const { browser, page } = await arrive('cleo@example.com');
    const review = await type(browser, page, userCode);
    expect(readAlert((await press(browser, review, 'decline')).text)).toContain('not signed in');
    expect(await statusOf(deviceCode)).toEqual({ state: 'denied' });
  });

  it('lets the person take another account', async () => {
    const { browser, page } = await arrive('dora@example.com');
    const login = await pageOf(
      await submit(browser, page, { decision: 'another', user_code: 'X' }),
    );
    expect(login.url).toContain('/login/');
    // The stand-in ends its former session first, by a form that a browser sends by itself.
    const leaving = await pageOf(await submit(browser, login, { email: 'dora2@example.com' }));
    const picking = await pageOf(await submit(browser, leaving, {}));
    const again = await pageOf(await submit(browser, picking, { handle: 'dora2' }));
    expect(again.text).toContain('<strong>dora2</strong>');
  });

  it('asks for the handle until it is one', async () => {
    const { browser } = await arrive('elle@example.com');
    expect(browser.cookies.size).toBeGreaterThan(0);
    const other = openBrowser(auth);
    const login = await pageOf(await other.open(`${auth.url}/device`));
    let page = await pageOf(await submit(other, login, { email: 'elle2@example.com' }));
    for (const [typed, error] of [
      ['e', '3 to 24'],
      ['admin', 'reserved'],
      ['elle', 'Somebody else'],
      ['"><script>', '3 to 24'],
    ] as const) {
      page = await pageOf(await submit(other, page, { handle: typed }));
      expect(readAlert(page.text)).toContain(error);
    }
    expect(page.text).not.toContain('<script>');
    expect((await pageOf(await submit(other, page, { handle: 'Elle2' }))).text).toContain('elle2');
  });
});

describe('the pages', () => {
  it('are never framed, run nothing, load nothing and are not kept', async () => {
    const { browser } = await arrive('fred@example.com');
    const response = await browser.open(`${auth.url}/device`);
    const headers = response instanceof URL ? new Headers() : response.headers;
    const policy = headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).toContain(`form-action 'self' ${new URL(auth.cognito.baseUrl).origin};`);
    expect(policy).not.toContain('unsafe');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-frame-options')).toBe('DENY');
  });

  it('refuse a form that another site made, or that was made for somebody else', async () => {
    const { userCode, deviceCode } = await start();
    const { browser, page } = await arrive('gina@example.com');
    const { page: foreign } = await arrive('hal@example.com');
    const csrfOf = (text: string) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';
    const forged = { user_code: userCode, decision: 'approve' };
    for (const csrf of ['', 'x', csrfOf(foreign.text)]) {
      const shown = await browser.open(`${auth.url}/device/decide`, { ...forged, csrf });
      expect(readAlert((await pageOf(shown)).text)).toContain('start again');
    }
    expect(await statusOf(deviceCode)).toEqual({ state: 'pending' });
    const own = { ...forged, csrf: csrfOf(page.text) };
    await pageOf(await browser.open(`${auth.url}/device/decide`, own));
    expect(await statusOf(deviceCode)).toMatchObject({ state: 'approved' });
  });

  it('refuse a way back from Cognito that another browser set out on', async () => {
    const mine = openBrowser(auth);
    const login = await pageOf(await mine.open(`${auth.url}/device`));
    // The attacker signs in and sends the last step of it to somebody else.
    const { cognito } = auth;
    const stopping = openBrowser({ ...auth, url: 'http://nowhere.invalid' });
    for (const [name, value] of mine.cookies) stopping.cookies.set(name, value);
    const back = await submit(stopping, login, { email: 'mallory@example.com' });
    expect(back).toBeInstanceOf(URL);
    const victim = openBrowser({ ...auth, cognito });
    const shown = await pageOf(await victim.open(String(back)));
    expect(readAlert(shown.text)).toContain('start again');
    expect([...victim.cookies.keys()].filter((name) => name.includes('session'))).toEqual([]);
  });
});

describe('guessing codes', () => {
  it('ends after five wrong ones in a quarter of an hour, however many come at once', async () => {
    const { userCode, deviceCode } = await start();
    const { browser, page } = await arrive('ivan@example.com');
    const guess = async (code: string) => {
      const shown = await submit(browser, page, { user_code: code });
      return shown instanceof URL ? 0 : shown.status;
    };
    expect(await guess(userCode)).toBe(200);
    expect(await guess('not a code')).toBe(400);
    const guesses = Array.from({ length: 12 }, () => guess('BBBB-BBBB'));
    const statuses = await Promise.all(guesses);
    expect(statuses.filter((status) => status === 400)).toHaveLength(5);
    expect(statuses.filter((status) => status === 429)).toHaveLength(7);
    // Not even the right one is taken now, from whichever browser of that account.
    expect(await guess(userCode)).toBe(429);
    expect(await statusOf(deviceCode)).toEqual({ state: 'pending' });
    auth.test.shiftMs(15 * 60_000);
    expect(await guess('BBBB-BBBB')).not.toBe(429);
    auth.test.shiftMs(-15 * 60_000);
  });
});

describe('the operations over HTTP', () => {
  it('count device codes by the address they were asked for from', async () => {
    const limited = await startTestAuth({ signIn: { deviceCodesPerHour: 3 } });
    const ask = (from: string) =>
      fetch(`${limited.url}/v1/login_start`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [addressHeader]: from },
        body: '{}',
      });
    const statuses = await Promise.all(
      [1, 2, 3, 4].map(async () => (await ask('192.0.2.1')).status),
    );
    expect(statuses.sort()).toEqual([200, 200, 200, 429]);
    expect((await ask('192.0.2.2')).status).toBe(200);
    await limited.close();
  });
});
