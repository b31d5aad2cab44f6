import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { describe, expect, onTestFinished, test } from 'vitest';
import { functionResource, poolOf } from '../fixtures/resources.ts';
import { serveDirectly } from '../front-door/serve.ts';
import { createHttpApi, type HttpApiOptions, type HttpCall } from './gateway.ts';
import { startHubServer } from './server.ts';
import { createThrottle } from './throttle.ts';

type Served = { url: string; calls: HttpCall[]; kill: () => Promise<void> };

async function serve(
  options: Partial<HttpApiOptions> = {},
  { timeoutMs = 30_000 } = {},
): Promise<Served> {
  const { pool } = poolOf(functionResource('http'));
  const calls: HttpCall[] = [];
  const server = await startHubServer(0);
  onTestFinished(server.close);
  const listener = createHttpApi({
    api: { apiId: 'abc', stage: '$default', stageVariables: undefined },
    routes: [
      { key: 'ANY /v1/{kind}', target: { invoke: (event) => pool.invoke(event), timeoutMs } },
    ],
    admits: () => true,
    remapsWwwAuthenticate: false,
    nowMs: () => Date.UTC(2026, 10, 3, 4, 5, 6),
    onCall: (call) => calls.push(call),
    ...options,
  });
  const backends = { httpApi: { apiId: 'abc', listener }, webSocketApi: undefined };
  server.serve(serveDirectly(backends));
  return { url: server.url, calls, kill: () => pool.kill() };
}

/** Sends headers just as given, repeated ones included. */
async function send(url: string, headers: string[], body?: string) {
  const outgoing = request(url, { method: 'POST', headers, agent: false });
  outgoing.end(body);
  const [response]: IncomingMessage[] = await once(outgoing, 'response');
  if (!response) throw new Error('no response');
  return { status: response.statusCode, text: Buffer.concat(await response.toArray()).toString() };
}

describe('the event of a request', () => {
  test('has payload format 2.0', async () => {
    const { url } = await serve();
    const response = await fetch(`${url}/v1/event?a=1&b=x%20y&a=2`, {
      method: 'PUT',
      headers: { 'Content-Type': 'application/json; charset=utf-8', 'User-Agent': 'test' },
      body: '{"text":"ü"}',
    });
    expect(await response.json()).toMatchObject({
      version: '2.0',
      routeKey: 'ANY /v1/{kind}',
      rawPath: '/v1/event',
      rawQueryString: 'a=1&b=x%20y&a=2',
      queryStringParameters: { a: '1,2', b: 'x y' },
      pathParameters: { kind: 'event' },
      body: '{"text":"ü"}',
      isBase64Encoded: false,
      headers: { 'content-type': 'application/json; charset=utf-8', 'x-forwarded-proto': 'http' },
      requestContext: {
        apiId: 'abc',
        stage: '$default',
        http: { method: 'PUT', path: '/v1/event', sourceIp: '127.0.0.1', userAgent: 'test' },
        time: '03/Nov/2026:04:05:06 +0000',
        timeEpoch: Date.UTC(2026, 10, 3, 4, 5, 6),
      },
    });
  });

  test('lower-cases headers, joins repeated ones and keeps cookies apart', async () => {
    const { url } = await serve();
    const headers = ['Host', 'hub', 'X-One', 'a', 'x-one', 'b', 'Cookie', 'c=1; d=2'];
    const event = JSON.parse((await send(`${url}/v1/event`, headers)).text);
    expect(event.headers).toMatchObject({ host: 'hub', 'x-one': 'a,b' });
    expect(event.headers).not.toHaveProperty('cookie');
    expect(event.headers).not.toHaveProperty('connection');
    expect(event.cookies).toEqual(['c=1', 'd=2']);
    expect(event).not.toHaveProperty('body');
  });

  test('carries a body that is no text as base64', async () => {
    const { url } = await serve();
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const sent = await fetch(`${url}/v1/event`, { method: 'POST', headers, body: 'a=1' });
    const event = JSON.parse(await sent.text());
    expect(event).toMatchObject({ isBase64Encoded: true });
    expect(Buffer.from(event.body, 'base64').toString()).toBe('a=1');
  });
});

describe('the response', () => {
  test('has status, headers, cookies and decoded body of a structured result', async () => {
    const { url } = await serve();
    const response = await fetch(`${url}/v1/other`);
    expect(response.status).toBe(401);
    expect(response.headers.get('www-authenticate')).toBe('Bearer');
    expect(response.headers.get('x-count')).toBe('2');
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2']);
    expect(Buffer.from(await response.arrayBuffer())).toEqual(Buffer.from([0, 255]));
  });

  test('renames WWW-Authenticate by a switch', async () => {
    const { url } = await serve({ remapsWwwAuthenticate: true });
    const { headers } = await fetch(`${url}/v1/other`);
    expect(headers.get('www-authenticate')).toBeNull();
    expect(headers.get('x-amzn-remapped-www-authenticate')).toBe('Bearer');
  });

  test('is 200 with JSON for any other result', async () => {
    const { url } = await serve();
    const response = await fetch(`${url}/v1/text`);
    expect(response.headers.get('content-type')).toBe('application/json');
    expect([response.status, await response.text()]).toEqual([200, 'plain']);
  });

  test.each([
    ['fail', 500, 'Internal Server Error'],
    ['odd', 500, 'Internal Server Error'],
    ['%zz', 400, 'Bad Request'],
  ])('for %s is %i', async (kind, status, message) => {
    const { url } = await serve();
    const response = await fetch(`${url}/v1/${kind}`);
    expect([response.status, await response.json()]).toEqual([status, { message }]);
  });

  test('is 404 where no route is', async () => {
    const { url, calls } = await serve();
    const response = await fetch(`${url}/v2/event`);
    expect([response.status, await response.json()]).toEqual([404, { message: 'Not Found' }]);
    expect(calls).toMatchObject([{ path: '/v2/event', routeKey: undefined, statusCode: 404 }]);
  });

  test('is 503 when the function takes longer than the integration may', async () => {
    const { url, kill } = await serve({}, { timeoutMs: 100 });
    const response = await fetch(`${url}/v1/wait`);
    expect([response.status, await response.json()]).toEqual([
      503,
      { message: 'Service Unavailable' },
    ]);
    await kill();
  });

  test('is 503 until the API is there', async () => {
    const server = await startHubServer(0);
    onTestFinished(server.close);
    expect((await fetch(`${server.url}/health`)).status).toBe(503);
  });
});

describe('limits', () => {
  test('a body over 10 MB is 413, and one over what a function takes as well', async () => {
    const { url } = await serve();
    const post = (bytes: number) =>
      fetch(`${url}/v1/other`, { method: 'POST', body: 'x'.repeat(bytes) });
    expect((await post(6_000_000)).status).toBe(401);
    expect((await post(6_400_000)).status).toBe(413);
    expect((await post(10 * 1024 * 1024 + 1)).status).toBe(413);
  });

  test('request line and headers over 10,240 bytes are 431', async () => {
    const { url } = await serve();
    const fixed = 'POST /v1/other HTTP/1.1\r\nHost: h\r\nX-A: \r\nConnection: close\r\n'.length;
    const padding = (bytes: number) => ['Host', 'h', 'X-A', 'x'.repeat(bytes)];
    const statusAt = async (total: number) =>
      (await send(`${url}/v1/other`, padding(total - fixed))).status;
    expect(await statusAt(10_000)).toBe(401);
    expect(await statusAt(10_300)).toBe(431);
  });

  test('more requests than the stage lets through are 429', async () => {
    let now = 0;
    const limits = { burst: 2, ratePerSecond: 10 };
    const { url } = await serve({ admits: createThrottle(limits, {}, () => now) });
    const statuses = async (count: number) => {
      const all: number[] = [];
      for (let n = 0; n < count; n++) all.push((await fetch(`${url}/v1/text`)).status);
      return all;
    };
    expect(await statuses(3)).toEqual([200, 200, 429]);
    now = 100;
    expect(await statuses(2)).toEqual([200, 429]);
  });

  test('a taken port is said in one line', async () => {
    const { url } = await serve();
    const port = Number(new URL(url).port);
    await expect(startHubServer(port)).rejects.toThrow(`Port ${port} is in use`);
  });
});
