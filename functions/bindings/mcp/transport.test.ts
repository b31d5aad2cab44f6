// The checks between a request and the tools: method, origin, credential, size, JSON, and what a
// client is told when it fails one.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { httpEvent } from '../../testing/http-event.ts';
import { startTestHub, type TestHub } from '../../testing/test-hub.ts';
import { answerMcp } from './endpoint.ts';
import { connectorToken, serveMcp, type TestEndpoint } from './testing/serve.ts';

let hub: TestHub;
let endpoint: TestEndpoint;
beforeAll(async () => {
  hub = await startTestHub();
  endpoint = await serveMcp(hub);
});
afterAll(async () => {
  await endpoint.close();
  await hub.close();
});

interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly body: string;
  /** The body, which is JSON in all these cases. */
  readonly json: unknown;
}

async function ask(
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  { method = 'POST', url = endpoint.url } = {},
): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const response = await fetch(`${url}/mcp`, {
    method,
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      authorization: `Bearer ${connectorToken('anna')}`,
      ...headers,
    },
    ...(method === 'POST' && { body: text }),
  });
  const answered = await response.text();
  const json: unknown = answered === '' ? undefined : JSON.parse(answered);
  return { status: response.status, headers: response.headers, body: answered, json };
}

const request = (method: string, params: object = {}) => ({
  jsonrpc: '2.0',
  id: 7,
  method,
  params,
});
const status = request('tools/call', { name: 'status', arguments: {} });
const toolResult = { jsonrpc: '2.0', id: 7, result: { content: [{ type: 'text' }] } };

/** A request as the revision of 2026-07-28 wants it. */
function modern(
  method: string,
  params: { readonly name?: string; readonly [field: string]: unknown } = {},
  version = '2026-07-28',
) {
  const meta = {
    'io.modelcontextprotocol/protocolVersion': version,
    'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  return {
    body: request(method, { ...params, _meta: meta }),
    headers: {
      'mcp-protocol-version': version,
      'mcp-method': method,
      ...(params.name !== undefined && { 'mcp-name': params.name }),
    },
  };
}

describe('methods', () => {
  it.each(['GET', 'DELETE'])('%s is not allowed, with or without a credential', async (method) => {
    for (const headers of [{}, { authorization: '' }, { accept: 'text/event-stream' }]) {
      const answer = await ask('', headers, { method });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe('POST');
    }
  });
});

describe('the origin of a browser', () => {
  it.each([
    'https://evil.example',
    'https://claude.ai.evil.example',
    'https://evilclaude.ai',
    'null',
    'nonsense',
  ])('%s is refused before the credential is looked at', async (origin) => {
    const answer = await ask(status, { origin, authorization: '' });
    expect(answer.status).toBe(403);
    expect(answer.json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code: -32_000 } });
  });

  it.each(['https://claude.ai', 'https://claude.com', 'https://chatgpt.com'])(
    '%s is where chats are',
    async (origin) => {
      expect((await ask(status, { origin })).status).toBe(200);
    },
  );

  it('of the Hub itself is its own', async () => {
    expect((await ask(status, { origin: endpoint.url })).status).toBe(200);
  });
});

describe('a credential', () => {
  const metadata = () => `${endpoint.url}/.well-known/oauth-protected-resource/mcp`;

  it('that is missing is asked for, with where to get one', async () => {
    for (const body of [status, request('initialize'), modern('server/discover').body]) {
      const answer = await ask(body, { authorization: '' });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer resource_metadata="${metadata()}", scope="rooms"`,
      );
      expect(answer.json).toMatchObject({ resource_metadata: metadata(), scope: 'rooms' });
    }
  });

  it.each(['device.anna', 'website.anna', 'made-up', 'two words'])(
    'that is none of a connector (%s) is refused by name',
    async (token) => {
      const answer = await ask(status, { authorization: `Bearer ${token}` });
      expect(answer.status).toBe(401);
      expect(answer.headers.get('www-authenticate')).toMatch(
        /^Bearer error="invalid_token", error_description="[^"]*not taken here", resource_meta/,
      );
      expect(answer.json).toMatchObject({
        error: 'invalid_token',
        error_description: expect.stringContaining('tokens of devices and of the website'),
        resource_metadata: metadata(),
      });
      expect(answer.body).not.toContain(token);
    },
  );

  it('is found also where a front door renames the header', async () => {
    const renaming = await serveMcp(hub, { remapsWwwAuthenticate: true });
    const answer = await ask(status, { authorization: '' }, { url: renaming.url });
    await renaming.close();
    expect(answer.status).toBe(401);
    expect(answer.headers.get('www-authenticate')).toBeNull();
    expect(answer.json).toMatchObject({
      resource_metadata: `${renaming.url}/.well-known/oauth-protected-resource/mcp`,
    });
  });
});

describe('a body', () => {
  it('has at most 256 KiB, counted in bytes', async () => {
    const filled = (size: number) => {
      const empty = JSON.stringify({ ...status, filler: '' });
      const most = 256 * 1024 - empty.length;
      return JSON.stringify({ ...status, filler: '€'.repeat(size).padEnd(most - 2 * size, 'x') });
    };
    expect((await ask(filled(10))).status).toBe(400);
    expect((await ask(`${filled(10)} `)).status).toBe(413);
    expect((await ask(`"${'€'.repeat(100_000)}"`)).status).toBe(413);
  });

  it.each([
    ['nothing', '', -32_700],
    ['no JSON', '{"jsonrpc":', -32_700],
    ['no message', '{}', -32_600],
    ['null', 'null', -32_600],
    ['a batch', JSON.stringify([status]), -32_600],
    ['brackets only', '['.repeat(250_000), -32_700],
    ['arrays nested very deep', `${'['.repeat(100_000)}${']'.repeat(100_000)}`, -32_600],
  ])('that is %s is a JSON-RPC error', async (_, body, code) => {
    const answer = await ask(body);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ jsonrpc: '2.0', id: null, error: { code } });
  });

  it.each([
    ['arrays', '['.repeat(100_000), ']'.repeat(100_000)],
    ['objects', '{"a":'.repeat(40_000), `1${'}'.repeat(40_000)}`],
  ])('with arguments nested very deep (%s) is a call like any other', async (_, open, close) => {
    const call = (meta: string) =>
      `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"status",` +
      `"arguments":{"x":${open}${close}}${meta}}}`;
    expect((await ask(call(''))).json).toMatchObject(toolResult);
    const { body, headers } = modern('tools/call', { name: 'status' });
    const meta = `,"_meta":${JSON.stringify(Object(body.params)._meta)}`;
    expect((await ask(call(meta), headers)).json).toMatchObject(toolResult);
  });

  it('of another type is refused', async () => {
    const answer = await ask(status, { 'content-type': 'application/x-www-form-urlencoded' });
    expect(answer.status).toBe(415);
  });
});

describe('an event', () => {
  const post = (body: string, headers: Readonly<Record<string, string>> = {}) => {
    const authorization = 'Bearer any';
    const about = { 'content-type': 'application/json', authorization, ...headers };
    return httpEvent({ method: 'POST', path: '/mcp', headers: about, body });
  };
  const connector = { account: 'anna', kind: 'connector', device: 'grant' } as const;
  const direct = () => ({
    hub: { ...hub.hub, authenticate: async () => connector },
    url: 'https://hub.example',
    scope: 'rooms',
  });

  it('may bring its body in base64, if that is UTF-8', async () => {
    const encoded = (bytes: Buffer) => ({
      ...post(bytes.toString('base64')),
      isBase64Encoded: true,
    });
    const text = Buffer.from(JSON.stringify(status));
    expect((await answerMcp(direct(), encoded(text))).statusCode).toBe(200);
    const broken = Buffer.concat([text.subarray(0, -1), Buffer.from([0xff, 0x7d])]);
    expect(await answerMcp(direct(), encoded(broken))).toMatchObject({
      statusCode: 400,
      body: expect.stringContaining('-32700'),
    });
  });

  it('with a header that no HTTP request can have is refused', async () => {
    const event = post(JSON.stringify(status), { 'mcp-name': '名' });
    expect((await answerMcp(direct(), event)).statusCode).toBe(400);
  });
});

describe('an answer', () => {
  it('is JSON whatever the client accepts, and is not kept anywhere', async () => {
    for (const accept of ['*/*', 'application/json', 'text/event-stream']) {
      for (const { body, headers } of [
        { body: status, headers: {} },
        modern('tools/call', { name: 'status' }),
        { body: request('tools/list'), headers: {} },
        modern('tools/list'),
      ]) {
        const answer = await ask(body, { ...headers, accept });
        expect(answer.status).toBe(200);
        expect(answer.headers.get('content-type')).toBe('application/json');
        expect(answer.headers.get('cache-control')).toBe('no-store');
        expect(answer.headers.get('mcp-session-id')).toBeNull();
      }
    }
  });

  it('to a notification is empty', async () => {
    const answer = await ask({ jsonrpc: '2.0', method: 'notifications/initialized' });
    expect([answer.status, answer.body]).toEqual([202, '']);
  });

  it('to a subscription ends at once: nothing here ever changes', async () => {
    const { body, headers } = modern('subscriptions/listen', {
      notifications: { toolsListChanged: true, resourceSubscriptions: ['a:b'] },
    });
    const response = await fetch(`${endpoint.url}/mcp`, {
      method: 'POST',
      headers: {
        ...headers,
        'content-type': 'application/json',
        authorization: `Bearer ${connectorToken('anna')}`,
      },
      body: JSON.stringify(body),
    });
    expect(response.status).toBe(200);
    expect(await response.text()).toMatch(/"result":\{"resultType":"complete"/);
  });
});

describe('a revision', () => {
  it.each(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25'])(
    '%s is agreed on by initialize',
    async (protocolVersion) => {
      const clientInfo = { name: 'test', version: '1' };
      const answer = await ask(
        request('initialize', { protocolVersion, capabilities: {}, clientInfo }),
      );
      expect(answer.json).toMatchObject({
        result: {
          protocolVersion,
          capabilities: { tools: { listChanged: false } },
          serverInfo: { name: 'tandry' },
        },
      });
    },
  );

  it('that is unknown is refused with those that are served', async () => {
    const { body, headers } = modern('tools/list', {}, '2027-01-01');
    const answer = await ask(body, headers);
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ error: { data: { supported: ['2026-07-28'] } } });
    const before = await ask(request('tools/list'), { 'mcp-protocol-version': '1999-01-01' });
    expect(before.status).toBe(400);
  });

  it('of 2026 demands headers that say what the body says', async () => {
    const { body, headers } = modern('tools/call', { name: 'status' });
    const answer = await ask(body, { ...headers, 'mcp-name': 'inbox' });
    expect(answer.status).toBe(400);
    expect(answer.json).toMatchObject({ id: 7, error: { code: -32_020 } });
  });
});

describe('a fault', () => {
  const secret = 'a token or a body';
  const fail = () => {
    throw new RangeError(secret);
  };

  it('before a tool runs is 503', async () => {
    const answer = await ask(status, { authorization: 'Bearer fault' });
    expect(answer.status).toBe(503);
    expect(answer.json).toMatchObject({ jsonrpc: '2.0', error: { code: -32_000 } });
    expect(hub.log.at(-1)).toMatchObject({ operation: 'mcp', fault: 'RangeError' });
  });

  it('in a tool is a result, and only its name is logged', async () => {
    const failing = await serveMcp({ hub: { ...hub.hub, randomBytes: fail } });
    const lines = hub.log.length;
    const answer = await ask(status, {}, { url: failing.url });
    await failing.close();
    expect(answer.json).toMatchObject({ result: { isError: true } });
    expect(answer.body).toMatch('Error unavailable: ');
    const logged = JSON.stringify(hub.log.slice(lines));
    expect(logged).toMatch('RangeError');
    expect(logged + answer.body).not.toMatch(secret);
  });
});
