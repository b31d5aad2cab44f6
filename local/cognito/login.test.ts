// The login page: what it shows, whom it lets post, how a session begins and ends.
import { get } from 'node:http';
import { expect, test } from 'vitest';
import { createBrowser, readAlert, readForm } from './browser.ts';
import { authorizeUrl, startTestCognito } from './testing.ts';

const email = 'alice@example.test';

async function pageOf(answer: Response | URL): Promise<string> {
  if (answer instanceof URL) throw new Error(`sent to ${answer} instead of a page`);
  return answer.text();
}

/** Opens the login page in a browser of its own and gives what is needed to post its form. */
async function openLogin(url: URL) {
  const browser = createBrowser(url.origin);
  const answer = await browser.open(url);
  const page = await pageOf(answer);
  const form = readForm(page);
  if (form === null || answer instanceof URL) throw new Error('no login form');
  const action = new URL(form.action, answer.url);
  const post = (fields: Record<string, string>) => browser.open(action, fields);
  return { browser, page, action, headers: answer.headers, fields: form.fields, post };
}

test('the page says that it is a local stand-in, and loads nothing', async () => {
  const cognito = await startTestCognito();
  const { page, headers } = await openLogin(authorizeUrl(cognito));
  expect(page).toContain('Local stand-in for Amazon Cognito');
  expect(page).toContain('width=device-width');
  expect(page).not.toMatch(/<script|<link|<img|url\(|@import|https?:\/\/(?!127\.0\.0\.1)/);
  expect(headers.get('content-security-policy')).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]+=*'; frame-ancestors 'none'; base-uri 'none'$/,
  );
  expect(headers.get('cache-control')).toBe('no-store');
});

test('nothing of the request stands in the page but the hint, and that escaped', async () => {
  const cognito = await startTestCognito();
  const script = '"><script>alert(1)</script>';
  const url = authorizeUrl(cognito, { state: script, nonce: script, login_hint: script });
  const { page } = await openLogin(url);
  expect(page).not.toContain('<script');
  expect(page.split('alert(1)')).toHaveLength(2);
  expect(page).toContain('value="&quot;&gt;&lt;script&gt;alert(1)&lt;/script&gt;"');
});

test('an error page escapes what it quotes', async () => {
  const cognito = await startTestCognito();
  const url = authorizeUrl(cognito, { client_id: '<script>alert(1)</script>' });
  const page = await pageOf(await createBrowser(cognito.baseUrl).open(url));
  expect(page).not.toContain('<script');
});

test.each(['', 'alice', 'alice@', '<b>@example.test', `${'a'.repeat(250)}@example.test`])(
  'the address %j is asked for again',
  async (typed) => {
    const { fields, post } = await openLogin(authorizeUrl(await startTestCognito()));
    const answer = await post({ ...fields, email: typed });
    expect(answer).toMatchObject({ status: 400 });
    const page = await pageOf(answer);
    expect(readAlert(page)).toBe('That is not an email address.');
    expect(page).not.toContain('<b>');
    const again = readForm(page)?.fields ?? {};
    expect(await post({ ...again, email })).toBeInstanceOf(URL);
  },
);

test('the form is taken only with its own token', async () => {
  const cognito = await startTestCognito();
  const [own, other] = [
    await openLogin(authorizeUrl(cognito)),
    await openLogin(authorizeUrl(cognito)),
  ];
  for (const fields of [{}, { csrf: '' }, { csrf: 'x' }, other.fields]) {
    expect(await own.post({ ...fields, email })).toMatchObject({ status: 400 });
  }
  expect(await own.post({ ...own.fields, email })).toBeInstanceOf(URL);
});

test('the form is taken only from the browser it was shown to', async () => {
  const { action, fields } = await openLogin(authorizeUrl(await startTestCognito()));
  const stranger = createBrowser(action.origin);
  const answer = await stranger.open(action, { ...fields, email });
  expect(answer).toMatchObject({ status: 400 });
  expect(await pageOf(answer)).toContain('Sign-in expired');
});

test('a form is not taken on the cookie of another sign-in', async () => {
  const cognito = await startTestCognito();
  const { browser, action, fields } = await openLogin(authorizeUrl(cognito));
  await browser.open(authorizeUrl(cognito));
  expect(await browser.open(action, { ...fields, email })).toMatchObject({ status: 400 });
});

test('a login page that is used after 15 minutes has expired', async () => {
  let nowMs = Date.now();
  const cognito = await startTestCognito({ nowMs: () => nowMs });
  const { fields, post } = await openLogin(authorizeUrl(cognito));
  nowMs += 15 * 60_000;
  expect(await post({ ...fields, email })).toMatchObject({ status: 400 });
});

test('who is signed in is not asked again for an hour, unless the client wants it', async () => {
  let nowMs = Date.now();
  const cognito = await startTestCognito({ nowMs: () => nowMs });
  const { browser, fields, post } = await openLogin(authorizeUrl(cognito));
  await post({ ...fields, email });
  expect(await browser.open(authorizeUrl(cognito))).toBeInstanceOf(URL);
  const asked = await browser.open(authorizeUrl(cognito, { prompt: 'login' }));
  expect(await pageOf(asked)).toContain('name="email"');
  nowMs += 3_600_000;
  expect(await pageOf(await browser.open(authorizeUrl(cognito)))).toContain('name="email"');
});

test('another person can sign in where one is signed in', async () => {
  const cognito = await startTestCognito();
  const { browser, fields, post } = await openLogin(authorizeUrl(cognito));
  await post({ ...fields, email });
  const asked = await browser.open(authorizeUrl(cognito, { prompt: 'login' }));
  const login = readForm(await pageOf(asked));
  const switched = await browser.open(new URL(login?.action ?? '', cognito.baseUrl), {
    ...login?.fields,
    email: 'bob@example.test',
  });
  // The former session is left by a form that posts itself.
  const leave = readForm(await pageOf(switched));
  const callback = await browser.open(leave?.action ?? '', leave?.fields);
  expect(String(callback)).toMatch(/code=/);
});

test('signing out ends the session and leads to a URL of the client', async () => {
  const cognito = await startTestCognito();
  const { browser, fields, post } = await openLogin(authorizeUrl(cognito));
  await post({ ...fields, email });
  const sibling = createBrowser(cognito.baseUrl);
  for (const [name, value] of browser.cookies) sibling.cookies.set(name, value);
  const target = 'https://hub.example.com/';
  const url = `${cognito.baseUrl}/logout?client_id=website&logout_uri=`;
  expect(String(await browser.open(url + target))).toBe(target);
  for (const { open } of [browser, sibling]) {
    expect(await pageOf(await open(authorizeUrl(cognito)))).toContain('name="email"');
  }
});

test.each([
  'client_id=website&logout_uri=https://evil.example.com/',
  'client_id=website',
  'client_id=nobody&logout_uri=http://localhost:5173/',
])('signing out leads nowhere with %s, and keeps the session', async (query) => {
  const cognito = await startTestCognito();
  const { browser, fields, post } = await openLogin(authorizeUrl(cognito));
  await post({ ...fields, email });
  const answer = await browser.open(`${cognito.baseUrl}/logout?${query}`);
  expect(answer).toMatchObject({ status: 400 });
  expect(await browser.open(authorizeUrl(cognito))).toBeInstanceOf(URL);
});

test('two stand-ins on one machine do not sign each other out', async () => {
  const [one, two] = [await startTestCognito(), await startTestCognito()];
  const namesOf = async (cognito: typeof one) => {
    const { headers } = await fetch(authorizeUrl(cognito), { redirect: 'manual' });
    return headers.getSetCookie().map((cookie) => cookie.split('=')[0]);
  };
  const names = await namesOf(one);
  expect(names.length).toBeGreaterThan(0);
  expect(await namesOf(two)).not.toEqual(expect.arrayContaining([names[0]]));
});

test('a name of elsewhere that leads here is refused', async () => {
  const { baseUrl } = await startTestCognito();
  const statusFor = (host: string) =>
    new Promise<number | undefined>((resolve, reject) => {
      get(`${baseUrl}/logout`, { headers: { host } }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).on('error', reject);
    });
  expect(await statusFor('evil.example.com')).toBe(421);
  expect(await statusFor('localhost:1')).toBe(400);
  expect(await statusFor('[::1]:1')).toBe(400);
});
