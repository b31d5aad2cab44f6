// Every call to the table while people and clients sign in, read as it leaves: no secret is in any.
import { afterAll, beforeAll, expect, it } from 'vitest';
import * as z from 'zod';
import type { Browser } from '../../../local/cognito/browser.ts';
import {
  claudeRedirect,
  exchange,
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
import { callWith } from '../../testing/test-devices.ts';

let auth: TestAuth;
/** Bodies of all calls, and of their answers. */
const wire: string[] = [];

const Traffic = z.object({ body: z.string() });

beforeAll(async () => {
  auth = await startTestAuth();
  auth.hub.table.client.middlewareStack.add(
    (next) => async (args) => {
      const { data: sent } = Traffic.safeParse(args.request);
      wire.push(sent?.body ?? '');
      const answer = await next(args);
      wire.push(JSON.stringify(answer.output));
      return answer;
    },
    { step: 'build', name: 'record', priority: 'low' },
  );
});
afterAll(() => auth.close());

/** All of what was said, with the binary values as the bytes they are, too. */
function everythingSaid(): string {
  const binary = wire.flatMap((body) =>
    [...body.matchAll(/"B":"([^"]+)"/g)].map(([, base64 = '']) =>
      Buffer.from(base64, 'base64').toString('latin1'),
    ),
  );
  return [...wire, ...binary].join('\n');
}

/** What a browser holds of the Hub: its cookies, and what their values are made of. */
function cookiesOf(browser: Browser): string[] {
  return [...browser.cookies].flatMap(([name, value]) =>
    name.startsWith('tandry_') && !name.endsWith('unused') ? [value] : [],
  );
}

const csrfOf = (text: string) => /name="csrf" value="([^"]+)"/.exec(text)?.[1] ?? '';

it('holds for a whole connection, a device grant, and a device login', async () => {
  const secrets: Record<string, readonly string[]> = {};
  // A client connects, refreshes, refreshes the same again, and revokes.
  const client = await register(auth, claudeRedirect);
  const pending = requestOf(auth, client);
  const start = openBrowser({ ...auth, cognito: { ...auth.cognito, baseUrl: auth.url } });
  const consent = await pageOf(await start.open(pending.url));
  secrets['interaction'] = [consent.url.split('/').at(-1) ?? '', ...cookiesOf(start)];
  secrets['csrf of the consent'] = [csrfOf(consent.text)];
  const toCognito = await submit(start, consent, { decision: 'allow' });
  if (!(toCognito instanceof URL)) throw new Error('not sent to Cognito');
  secrets['journey'] = cookiesOf(start);
  const asked = ['state', 'nonce', 'code_challenge'];
  secrets['sign-in at Cognito'] = asked.map((name) => toCognito.searchParams.get(name) ?? '');
  const browser = openBrowser(auth);
  for (const [name, value] of start.cookies) browser.cookies.set(name, value);
  const login = await pageOf(await browser.open(toCognito));
  const handle = await pageOf(await submit(browser, login, { email: 'ana@example.com' }));
  secrets['csrf of the handle'] = [csrfOf(handle.text)];
  const returned = await submit(browser, handle, { handle: 'ana' });
  secrets['session'] = cookiesOf(browser);
  if (!(returned instanceof URL)) throw new Error(await returned.text());
  secrets['code'] = [returned.searchParams.get('code') ?? ''];
  secrets['state'] = [pending.state];
  secrets['verifier'] = [pending.verifier];
  const tokens = TokenAnswer.parse((await exchange(auth, pending, returned)).body);
  const next = TokenAnswer.parse((await refresh(auth, client, tokens.refresh_token)).body);
  await refresh(auth, client, tokens.refresh_token);
  secrets['access tokens'] = [tokens.access_token, next.access_token];
  secrets['refresh tokens'] = [tokens.refresh_token, next.refresh_token];

  // A client with a device grant.
  const response = await fetch(`${auth.url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grant_types: ['urn:ietf:params:oauth:grant-type:device_code'] }),
  });
  const { client_id } = z.object({ client_id: z.string() }).parse(await response.json());
  const Started = z.object({ device_code: z.string(), user_code: z.string() });
  const granted = Started.parse(
    (await post(auth, '/oauth/device_authorization', { client_id, resource: `${auth.url}/mcp` }))
      .body,
  );
  // A machine of our own.
  const started = await callWith(auth.hub, 'login_start', { label: 'laptop' }, { address: 'x' });
  for (const code of [granted.user_code, started.userCode]) {
    const page = await pageOf(await browser.open(`${auth.url}/device`));
    secrets[`csrf of ${code}`] = [csrfOf(page.text)];
    const review = await pageOf(await submit(browser, page, { user_code: code }));
    await submit(browser, review, { decision: 'approve' });
  }
  const form = { grant_type: 'urn:ietf:params:oauth:grant-type:device_code', client_id };
  const { device_code } = granted;
  const { body } = await post(auth, '/oauth/token', { ...form, device_code });
  const { access_token } = z.object({ access_token: z.string() }).parse(body);
  const { deviceCode } = started;
  const status = await callWith(auth.hub, 'login_status', { deviceCode });
  const deviceToken = status.state === 'approved' ? status.token : '';
  await callWith(auth.hub, 'status', {}, { bearer: deviceToken });
  secrets['device codes'] = [device_code, deviceCode];
  secrets['user codes'] = [granted.user_code, started.userCode].flatMap((code) => [
    code,
    code.replace('-', ''),
  ]);
  secrets['tokens of devices'] = [access_token, deviceToken];
  await post(auth, '/oauth/revoke', { client_id: client.clientId, token: next.refresh_token });
  await callWith(auth.hub, 'logout', {}, { bearer: deviceToken });

  const said = everythingSaid();
  expect(wire.length).toBeGreaterThan(80);
  // The recorder sees what it should: a name that is no secret is there.
  expect(said).toContain('laptop');
  for (const [what, values] of Object.entries(secrets)) {
    expect(values.length, what).toBeGreaterThan(0);
    for (const value of values) {
      expect(value.length, what).toBeGreaterThan(7);
      expect(said.includes(value), `${what} in the clear`).toBe(false);
    }
  }
});
