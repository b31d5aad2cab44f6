// How often one address may have something made or fetched for it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documentHost, startDocumentHost } from '../../testing/document-host.ts';
import { claudeRedirect, post, requestOf } from '../../testing/oauth-client.ts';
import { addressHeader, startTestAuth, type TestAuth } from '../../testing/test-auth.ts';

let auth: TestAuth;
beforeAll(async () => {
  auth = await startTestAuth();
});
afterAll(() => auth.close());

describe('spam', () => {
  it('of registrations ends at ten an hour for one address', async () => {
    const limited = await startTestAuth({ signIn: { registrationsPerHour: 10 } });
    const once = async (from: string) => {
      const response = await fetch(`${limited.url}/oauth/register`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', [addressHeader]: from },
        body: JSON.stringify({ redirect_uris: [claudeRedirect] }),
      });
      return { status: response.status, retry: response.headers.get('retry-after') };
    };
    const answers = await Promise.all(Array.from({ length: 14 }, () => once('192.0.2.1')));
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(10);
    const [refused] = answers.filter(({ status }) => status === 429);
    expect(Number(refused?.retry)).toBeGreaterThan(3_000);
    expect((await once('192.0.2.2')).status).toBe(201);
    await limited.close();
  });

  it.each([
    ['a redirect URI off the list', { redirect_uris: ['https://evil.example.com/'] }],
    ['no redirect URI', {}],
    ['a body of 5 KB', { redirect_uris: [claudeRedirect], client_name: 'x'.repeat(5_000) }],
  ])('is refused outright: %s', async (_, body) => {
    const response = await fetch(`${auth.url}/oauth/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    expect([400, 413]).toContain(response.status);
    expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^invalid_/) });
  });

  it('of documents ends as well, before anybody is asked for them', async () => {
    const host = await startDocumentHost();
    const limited = await startTestAuth({
      network: host.network,
      signIn: { documentsPerHour: 3 },
    });
    const ask = async (n: number, from: string) => {
      const clientId = `https://${documentHost}/${n}.json`;
      const { url } = requestOf(limited, { clientId, redirectUri: claudeRedirect });
      await fetch(url, { headers: { [addressHeader]: from } });
    };
    for (const n of [1, 2, 3, 4, 5]) await ask(n, '192.0.2.1');
    expect(host.requests).toHaveLength(3);
    await ask(6, '192.0.2.2');
    expect(host.requests).toHaveLength(4);
    await Promise.all([limited.close(), host.close()]);
  });

  it('of device codes is one count for both ways to get one', async () => {
    const limited = await startTestAuth({ signIn: { deviceCodesPerHour: 2 } });
    const headers = { [addressHeader]: '192.0.2.1' };
    const viaOAuth = () => post(limited, '/oauth/device_authorization', {}, headers);
    const viaOperation = () =>
      fetch(`${limited.url}/v1/login_start`, { method: 'POST', headers, body: '{}' });
    expect((await viaOAuth()).status).not.toBe(429);
    expect((await viaOperation()).status).toBe(200);
    expect((await viaOAuth()).status).toBe(429);
    expect((await viaOperation()).status).toBe(429);
    await limited.close();
  });
});
