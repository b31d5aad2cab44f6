// How often one address may have something made or fetched for it.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readAlert } from '../../../local/cognito/browser.ts';
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

  it('of authorizations ends on a page, at thirty a minute, before a client is looked at', async () => {
    const limited = await startTestAuth({ signIn: { authorizationsPerMinute: 30 } });
    const begin = (from: string) =>
      fetch(`${limited.url}/oauth/authorize?client_id=nobody`, {
        headers: { [addressHeader]: from },
      });
    const answers = await Promise.all(Array.from({ length: 33 }, () => begin('192.0.2.1')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused).toHaveLength(3);
    const [page] = refused;
    expect(readAlert((await page?.text()) ?? '')).toContain('Wait a minute');
    expect(page?.headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(Number(page?.headers.get('retry-after'))).toBeLessThanOrEqual(60);
    expect((await begin('192.0.2.2')).status).not.toBe(429);
    limited.test.shiftMs(60_000);
    expect((await begin('192.0.2.1')).status).not.toBe(429);
    await limited.close();
  });

  it('of token requests ends at sixty a minute', async () => {
    const limited = await startTestAuth({ signIn: { tokenRequestsPerMinute: 60 } });
    const ask = (from: string) =>
      post(limited, '/oauth/token', { grant_type: 'x' }, { [addressHeader]: from });
    const answers = await Promise.all(Array.from({ length: 62 }, () => ask('192.0.2.1')));
    const refused = answers.filter(({ status }) => status === 429);
    expect(refused.map(({ body }) => body)).toMatchObject(Array(2).fill({ error: 'slow_down' }));
    expect((await ask('192.0.2.2')).status).not.toBe(429);
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

  it.each([
    'POST /oauth/Register',
    'POST /oauth/register/',
    'POST /oauth/register%3Fx',
    'GET /oauth/authorize/',
    'POST /oauth/authorize',
    'HEAD /oauth/authorize',
    'POST /oauth/Token',
    'POST /oauth/device_authorization/',
  ])('does not get by all this with another spelling: %s', async (asked) => {
    const [method = '', path = ''] = asked.split(' ');
    const response = await fetch(`${auth.url}${path}`, {
      method,
      ...(method === 'POST' && {
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ redirect_uris: ['https://evil.example.com/'] }),
      }),
    });
    expect([404, 405]).toContain(response.status);
    expect(response.headers.get('cache-control')).toBe('no-store');
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
