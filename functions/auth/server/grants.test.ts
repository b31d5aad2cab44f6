// A client with a device grant, and the end of a grant, on the real table and the Cognito stand-in.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import {
  claudeRedirect,
  connect,
  openBrowser,
  pageOf,
  post,
  refresh,
  register,
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

/** Whose a connector's token is, as `/mcp` asks. */

describe('a client with a device grant', () => {
  const grantType = 'urn:ietf:params:oauth:grant-type:device_code';

  async function registerDevice(): Promise<string> {
    const response = await fetch(`${auth.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({
        client_name: 'A terminal',
        grant_types: [grantType, 'refresh_token'],
      }),
    });
    return z.object({ client_id: z.string() }).parse(await response.json()).client_id;
  }

  const Started = z.object({
    device_code: z.string(),
    user_code: z.string(),
    verification_uri: z.string(),
    verification_uri_complete: z.string(),
    expires_in: z.number(),
  });

  async function start(client_id: string, resource = `${auth.url}/mcp`) {
    return post(auth, '/oauth/device_authorization', { client_id, resource });
  }

  const poll = (client_id: string, device_code: string) =>
    post(auth, '/oauth/token', { grant_type: grantType, client_id, device_code });

  it('gets its tokens once the person approved the code on the device page', async () => {
    const clientId = await registerDevice();
    const started = Started.parse((await start(clientId)).body);
    expect(started.verification_uri).toBe(`${auth.url}/device`);
    expect((await poll(clientId, started.device_code)).body).toMatchObject({
      error: 'authorization_pending',
    });
    const browser = openBrowser(auth);
    const login = await pageOf(await browser.open(started.verification_uri_complete));
    const handle = await pageOf(await submit(browser, login, { email: 'ida@example.com' }));
    const page = await pageOf(await submit(browser, handle, { handle: 'ida' }));
    expect(page.text).toContain(started.user_code);
    const review = await pageOf(await submit(browser, page, { user_code: started.user_code }));
    expect(review.text).toContain('A terminal');
    await submit(browser, review, { decision: 'approve' });

    const { body } = await poll(clientId, started.device_code);
    const tokens = TokenAnswer.parse(body);
    expect(await auth.connector(tokens.access_token)).toMatchObject({ host: 'web' });
    expect((await poll(clientId, started.device_code)).body).toMatchObject({
      error: 'invalid_grant',
    });
  });

  it('is told that the person declined', async () => {
    const clientId = await registerDevice();
    const started = Started.parse((await start(clientId)).body);
    const browser = openBrowser(auth);
    const login = await pageOf(await browser.open(started.verification_uri_complete));
    const page = await pageOf(await submit(browser, login, { email: 'ida@example.com' }));
    const review = await pageOf(await submit(browser, page, { user_code: started.user_code }));
    await submit(browser, review, { decision: 'decline' });
    expect((await poll(clientId, started.device_code)).body).toMatchObject({
      error: 'access_denied',
    });
  });

  it('is decided once, however many decide at the same moment', async () => {
    const clientId = await registerDevice();
    const started = Started.parse((await start(clientId)).body);
    const people = await Promise.all(
      ['kim@example.com', 'lea@example.com', 'max@example.com'].map(async (email) => {
        const browser = openBrowser(auth);
        const login = await pageOf(await browser.open(started.verification_uri_complete));
        const picking = await pageOf(await submit(browser, login, { email }));
        const [handle = ''] = email.split('@');
        const page = await pageOf(await submit(browser, picking, { handle }));
        return {
          browser,
          review: await pageOf(await submit(browser, page, { user_code: started.user_code })),
        };
      }),
    );
    const shown = await Promise.all(
      people.map(async ({ browser, review }, index) =>
        pageOf(await submit(browser, review, { decision: index === 0 ? 'decline' : 'approve' })),
      ),
    );
    const decided = shown.filter(({ text }) => /<h1>(Approved|Declined)/.test(text));
    expect(decided).toHaveLength(1);
  });

  it('gets codes for this Hub’s resource only', async () => {
    const clientId = await registerDevice();
    const { body } = await start(clientId, 'https://other.example.com/mcp');
    expect(body).toMatchObject({ error: 'invalid_target' });
  });
});

describe('revocation', () => {
  it.each(['access_token', 'refresh_token'] as const)(
    'of the %s ends the whole grant',
    async (kind) => {
      const client = await register(auth, claudeRedirect);
      const tokens = await connect(auth, client, 'jan@example.com');
      const next = TokenAnswer.parse((await refresh(auth, client, tokens.refresh_token)).body);
      const form = { client_id: client.clientId, token: next[kind] };
      expect((await post(auth, '/oauth/revoke', form)).status).toBe(200);
      expect(await auth.connector(tokens.access_token)).toBeUndefined();
      expect(await auth.connector(next.access_token)).toBeUndefined();
      expect((await refresh(auth, client, next.refresh_token)).body).toMatchObject({
        error: 'invalid_grant',
      });
    },
  );

  it('is not open to another client', async () => {
    const tokens = await connect(auth, await register(auth, claudeRedirect), 'jan@example.com');
    const other = await register(auth, claudeRedirect);
    const form = { client_id: other.clientId, token: tokens.access_token };
    await post(auth, '/oauth/revoke', form);
    expect(await auth.connector(tokens.access_token)).toBeDefined();
  });
});
