// Signing in and MCP on the whole local stack: what the template wires, end to end.
import { join } from 'node:path';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBrowser, readForm } from './cognito/browser.ts';
import { temporaryFolder } from './fixtures/resources.ts';
import { type Stack, type StackOptions, startStack } from './stack.ts';

// The assembly may have to be made first.
vi.setConfig({ testTimeout: 120_000 });

async function startHub(options: StackOptions = {}): Promise<Stack> {
  const stack = await startStack(options);
  onTestFinished(stack.close);
  return stack;
}

async function call(url: string, operation: string, input: object, token = '') {
  const response = await fetch(`${url}/v1/${operation}`, {
    method: 'POST',
    headers: token === '' ? {} : { authorization: `Bearer ${token}` },
    body: JSON.stringify(input),
  });
  return JSON.parse(await response.text());
}

/** A person at a browser: `open` a page, then `fill` the form of each page that comes. */
function createPerson({ url, cognito }: Stack) {
  const browser = createBrowser(url, cognito?.baseUrl ?? '');
  let page = new Response('');
  async function goTo(target: string | URL, form?: Record<string, string>) {
    const answer = await browser.open(target, form);
    if (answer instanceof URL) throw new Error(`led astray to ${answer.origin}`);
    page = answer;
  }
  return {
    open: (target: string) => goTo(target),
    async fill(values: Record<string, string>) {
      const form = readForm(await page.text());
      if (form === null) throw new Error(`no form at ${page.url}`);
      await goTo(new URL(form.action, page.url), { ...form.fields, ...values });
    },
    page: () => page,
  };
}

describe('signing in a machine', () => {
  test('leads over the device page and the stand-in to a token', async () => {
    const { url, ...stack } = await startHub();
    const { result: login } = await call(url, 'login_start', { label: 'laptop' });
    expect(login.url).toBe(`${url}/device?user_code=${login.userCode}`);
    const { deviceCode } = login;
    expect(await call(url, 'login_status', { deviceCode })).toMatchObject({
      result: { state: 'pending' },
    });

    const person = createPerson({ url, ...stack });
    await person.open(login.url);
    expect(person.page().url).toContain(stack.cognito?.baseUrl);
    await person.fill({ email: 'ana@example.com' });
    expect(person.page().url).toContain(`${url}/oauth/handle/`);
    await person.fill({ handle: 'ana' });
    const { status, headers } = person.page();
    expect([status, headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    await person.fill({ user_code: login.userCode });
    await person.fill({ decision: 'approve' });
    expect(await person.page().text()).toContain('Approved');

    const { result } = await call(url, 'login_status', { deviceCode });
    expect(result).toMatchObject({ state: 'approved', account: { handle: 'ana' } });
    expect(await call(url, 'status', {}, result.token)).toMatchObject({
      result: { account: { handle: 'ana' } },
    });
  });

  test('meets no limit that one machine would reach, unless it is lowered', async () => {
    const started = async (stack: Stack) => (await call(stack.url, 'login_start', {})).ok;
    const once = { DEVICE_CODES_PER_HOUR: '1' };
    const relaxed = await startHub({ envOverrides: once });
    expect([await started(relaxed), await started(relaxed)]).toEqual([true, true]);
    const strict = await startHub({ envOverrides: { ...once, LOOPBACK_SIGN_IN_FACTOR: '1' } });
    expect([await started(strict), await started(strict)]).toEqual([true, false]);
  });

  test('is remembered by a browser when the stack starts again in its folder', async () => {
    const folder = join(temporaryFolder(), 'state');
    const first = await startStack({ folder });
    const port = Number(new URL(first.url).port);
    const person = createPerson(first);
    await person.open(`${first.url}/device`);
    await person.fill({ email: 'ana@example.com' });
    await person.fill({ handle: 'ana' });
    await first.close();
    const second = await startHub({ folder, port, cognitoPort: 0 });
    await person.open(`${second.url}/device`);
    expect(await person.page().text()).toContain('Signed in as <strong>ana</strong>');
  });
});

describe('what clients find out first', () => {
  test('is where to go, and nothing that is not there', async () => {
    const { url } = await startHub();
    const read = async (path: string) => (await fetch(`${url}/.well-known/${path}`)).json();
    const resource = { resource: `${url}/mcp`, authorization_servers: [url] };
    expect(await read('oauth-authorization-server')).toMatchObject({ issuer: url });
    expect(await read('oauth-protected-resource')).toMatchObject(resource);
    expect(await read('oauth-protected-resource/mcp')).toMatchObject(resource);
    for (const path of ['openid-configuration', 'jwks.json', 'oauth-authorization-server/mcp']) {
      expect((await fetch(`${url}/.well-known/${path}`)).status, path).toBe(404);
    }
  });

  test('is told by MCP to whoever has no token', async () => {
    const { url } = await startHub();
    const ask = (method: string) => fetch(`${url}/mcp`, { method });
    const refused = await ask('POST');
    expect(refused.status).toBe(401);
    expect(refused.headers.get('www-authenticate')).toContain(
      `resource_metadata="${url}/.well-known/oauth-protected-resource/mcp"`,
    );
    expect([(await ask('GET')).status, (await ask('DELETE')).status]).toEqual([405, 405]);
  });

  test('can be asked for by a page of another origin', async () => {
    const { url } = await startHub();
    const origin = 'https://chat.example.com';
    const headers = {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'mcp-protocol-version',
    };
    for (const path of [
      '/.well-known/oauth-authorization-server',
      '/.well-known/oauth-protected-resource',
      '/.well-known/oauth-protected-resource/mcp',
      '/oauth/register',
      '/oauth/token',
    ]) {
      const { status, headers: allowed } = await fetch(url + path, { method: 'OPTIONS', headers });
      expect([path, status]).toEqual([path, 204]);
      expect(allowed.get('access-control-allow-methods'), path).toContain(
        path.startsWith('/oauth/') ? 'POST' : 'GET',
      );
      expect(allowed.get('access-control-allow-headers'), path).toBe('mcp-protocol-version');
      expect(['*', origin], path).toContain(allowed.get('access-control-allow-origin'));
      if (path.startsWith('/oauth/')) continue;
      const read = await fetch(url + path, { headers: { origin } });
      expect(['*', origin], path).toContain(read.headers.get('access-control-allow-origin'));
    }
  });
});
