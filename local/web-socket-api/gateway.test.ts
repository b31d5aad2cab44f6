import { once } from 'node:events';
import {
  ApiGatewayManagementApiClient,
  DeleteConnectionCommand,
  GetConnectionCommand,
  PostToConnectionCommand,
} from '@aws-sdk/client-apigatewaymanagementapi';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type ClientOptions, WebSocket } from 'ws';
import { createClock } from '../clock.ts';
import { functionResource, poolOf } from '../fixtures/resources.ts';
import { startHubServer } from '../http-api/server.ts';
import { Connections, type LinkFaults } from './connections.ts';
import type { WebSocketApiDefinition } from './definition.ts';
import { type LinkChange, WebSocketApi } from './gateway.ts';
import { startManagementApi } from './management.ts';

const definition: WebSocketApiDefinition = {
  apiId: 'abc',
  stage: 'link',
  routeField: 't',
  routes: new Map([
    ['$connect', { functionId: 'Fn', answers: false }],
    ['$disconnect', { functionId: 'Fn', answers: false }],
    ['state', { functionId: 'Fn', answers: false }],
    ['echo', { functionId: 'Fn', answers: true }],
    ['$default', { text: 'pong' }],
  ]),
};

async function serve() {
  const clock = createClock(0);
  const faults: LinkFaults = { dropsDisconnects: false, refusesPosts: undefined };
  const connections = new Connections(clock, faults);
  const { pool, lines } = poolOf(functionResource('link'));
  const changes: LinkChange[] = [];
  const api = new WebSocketApi({
    ...{ definition, connections, faults, clock },
    invoke: (_functionId, event) => pool.invoke(event),
    onLink: (change) => changes.push(change),
  });
  const server = await startHubServer(0);
  server.serve({
    request: () => {},
    upgrade: (request, socket, head) => {
      const [path = '', rawQuery = ''] = (request.url ?? '').split('?');
      const headers = { 'x-origin': 'secret' };
      void api.upgrade({ request, socket, head, path, rawQuery, domainName: 'api.host', headers });
    },
  });
  const management = await startManagementApi({
    ...{ apiId: 'abc', stage: 'link', connections },
    authorize: (principal) => principal === 'Fn',
  });
  onTestFinished(async () => {
    connections.close();
    await Promise.all([server.close(), management.close()]);
  });
  const clientOf = (accessKeyId: string) =>
    new ApiGatewayManagementApiClient({
      endpoint: `${management.endpoint}/link`,
      region: 'eu-central-1',
      credentials: { accessKeyId, secretAccessKey: 'any' },
      maxAttempts: 1,
    });
  const events = () => lines.map(({ line }) => JSON.parse(line));
  const url = server.url.replace('http', 'ws');
  return { url, clock, faults, connections, events, changes, client: clientOf('Fn'), clientOf };
}

type Served = Awaited<ReturnType<typeof serve>>;

function dial({ url }: Served, path = '/link', options: ClientOptions = {}): WebSocket {
  const socket = new WebSocket(url + path, options);
  socket.on('error', () => {});
  onTestFinished(() => socket.terminate());
  return socket;
}

async function opened(socket: WebSocket): Promise<WebSocket> {
  await once(socket, 'open');
  return socket;
}

async function refusal(socket: WebSocket): Promise<number | undefined> {
  const [, response] = await once(socket, 'unexpected-response');
  return response.statusCode;
}

const nextMessage = async (socket: WebSocket) => String((await once(socket, 'message'))[0]);
const closeOf = async (socket: WebSocket) => {
  const [code, reason] = await once(socket, 'close');
  return { code, reason: String(reason) };
};
const onlyId = ({ connections }: Served) => connections.ids[0] ?? '';

describe('opening', () => {
  test('tells the function who connects, with headers in the client’s spelling', async () => {
    const served = await serve();
    const headers = { 'Tandry-Room': 'r_1', 'X-Origin': 'forged' };
    await opened(dial(served, '/link?a=1', { headers }));
    await expect.poll(() => served.events().length).toBe(1);
    const [event] = served.events();
    expect(event).toMatchObject({
      headers: { 'Tandry-Room': 'r_1', 'x-origin': 'secret' },
      queryStringParameters: { a: '1' },
      isBase64Encoded: false,
      requestContext: {
        routeKey: '$connect',
        eventType: 'CONNECT',
        apiId: 'abc',
        stage: 'link',
        domainName: 'api.host',
        connectionId: onlyId(served),
        identity: { sourceIp: '127.0.0.1' },
      },
    });
    expect(event.headers).not.toHaveProperty('X-Origin');
  });

  test.each([
    ['/link?status=401', 401],
    ['/link?status=409', 409],
    ['/link?status=crash', 502],
    ['/link/v1', 403],
    ['/other', 403],
  ])('%s is refused with %i', async (path, status) => {
    const served = await serve();
    expect(await refusal(dial(served, path))).toBe(status);
    expect(served.connections.ids).toEqual([]);
  });

  test('is reported with the host kind and how it went, and so is the end', async () => {
    const served = await serve();
    const headers = { 'Tandry-Host': 'claude' };
    const durationMs = expect.any(Number);
    await refusal(dial(served, '/link?status=409', { headers }));
    const socket = await opened(dial(served, '/link', { headers }));
    const opening = [
      { change: 'refused', hostKind: 'claude', code: 409, durationMs },
      { change: 'opened', hostKind: 'claude', code: 200, durationMs },
    ];
    expect(served.changes).toEqual(opening);
    socket.close(1001);
    const closed = { change: 'closed', hostKind: 'claude', code: 1001, durationMs };
    await expect.poll(() => served.changes).toEqual([...opening, closed]);
  });

  test('a post before it is done finds nobody', async () => {
    const served = await serve();
    const socket = dial(served, '/link?ms=500');
    const connecting = opened(socket);
    await expect.poll(() => served.events().length).toBe(1);
    const ConnectionId = served.events()[0].requestContext.connectionId;
    const post = () =>
      served.client.send(new PostToConnectionCommand({ ConnectionId, Data: '{}' }));
    await expect(post()).rejects.toHaveProperty('name', 'GoneException');
    await connecting;
    await post();
  });
});

describe('a message', () => {
  test('goes to the route that it names, and to the default one otherwise', async () => {
    const served = await serve();
    const socket = await opened(dial(served));
    for (const text of ['ping', '{"t":"unknown"}', '{"t":7}', '[]']) {
      socket.send(text);
      expect(await nextMessage(socket)).toBe('pong');
    }
    socket.send('{"t":"state","wakeable":true}');
    await expect.poll(() => served.events().length).toBe(2);
    expect(served.events()[1]).toMatchObject({
      body: '{"t":"state","wakeable":true}',
      requestContext: { routeKey: 'state', eventType: 'MESSAGE', connectionId: onlyId(served) },
    });
    expect(served.events()[1]).not.toHaveProperty('headers');
  });

  test('is answered by the function only on a two-way route', async () => {
    const served = await serve();
    const socket = await opened(dial(served));
    socket.send('{"t":"state"}');
    socket.send('{"t":"echo"}');
    expect(JSON.parse(await nextMessage(socket)).body).toBe('{"t":"echo"}');
  });

  test('over 128 KB, or a frame over 32 KB, ends the connection with 1009', async () => {
    const served = await serve();
    const inFrames = await opened(dial(served));
    const part = Buffer.alloc(32 * 1024, 'x');
    inFrames.send(part, { fin: false, binary: false });
    inFrames.send(part, { fin: true });
    expect(await nextMessage(inFrames)).toBe('pong');
    for (let n = 0; n < 5; n++) inFrames.send(part, { fin: false, binary: false });
    expect(await closeOf(inFrames)).toMatchObject({ code: 1009 });

    const inOne = await opened(dial(served));
    inOne.send('x'.repeat(32 * 1024 + 1));
    expect(await closeOf(inOne)).toMatchObject({ code: 1009 });
  });
});

describe('the management API', () => {
  test('posts to a connection, tells of it, and ends it', async () => {
    const served = await serve();
    const socket = await opened(dial(served));
    const ConnectionId = onlyId(served);
    const message = nextMessage(socket);
    await served.client.send(new PostToConnectionCommand({ ConnectionId, Data: '{"t":"notify"}' }));
    expect(await message).toBe('{"t":"notify"}');
    const { ConnectedAt } = await served.client.send(new GetConnectionCommand({ ConnectionId }));
    expect(Math.abs(Date.now() - Number(ConnectedAt))).toBeLessThan(60_000);
    const closed = closeOf(socket);
    await served.client.send(new DeleteConnectionCommand({ ConnectionId }));
    expect(await closed).toEqual({ code: 1000, reason: 'Connection Closed Normally' });
    await expect
      .poll(() => served.client.send(new GetConnectionCommand({ ConnectionId })).catch(String))
      .toContain('Gone');
  });

  test('refuses what is too large, and whoever may not', async () => {
    const served = await serve();
    await opened(dial(served));
    const post = (bytes: number, client = served.client) => {
      const input = { ConnectionId: onlyId(served), Data: 'x'.repeat(bytes) };
      return client.send(new PostToConnectionCommand(input));
    };
    await post(128 * 1024);
    await expect(post(128 * 1024 + 1)).rejects.toHaveProperty('name', 'PayloadTooLargeException');
    await expect(post(1, served.clientOf('Other'))).rejects.toHaveProperty(
      'name',
      'ForbiddenException',
    );
  });

  test('answers by switch as if a connection were gone or its reader slow', async () => {
    const served = await serve();
    await opened(dial(served));
    const post = () => {
      const input = { ConnectionId: onlyId(served), Data: '{}' };
      return served.client.send(new PostToConnectionCommand(input));
    };
    served.faults.refusesPosts = 'limit';
    await expect(post()).rejects.toHaveProperty('name', 'LimitExceededException');
    served.faults.refusesPosts = 'gone';
    await expect(post()).rejects.toHaveProperty('name', 'GoneException');
  });
});

describe('an end', () => {
  test('by the client is told to the function, without the client’s headers', async () => {
    const served = await serve();
    const socket = await opened(dial(served));
    socket.close(1000, 'done');
    await expect.poll(() => served.events().length).toBe(2);
    expect(served.events()[1]).toMatchObject({
      headers: { Host: 'api.host' },
      requestContext: {
        routeKey: '$disconnect',
        eventType: 'DISCONNECT',
        disconnectStatusCode: 1000,
        disconnectReason: 'done',
      },
    });
    expect(served.connections.ids).toEqual([]);
  });

  test('is not told at all by switch', async () => {
    const served = await serve();
    const socket = await opened(dial(served));
    served.faults.dropsDisconnects = true;
    socket.close();
    await expect.poll(() => served.connections.ids).toEqual([]);
    const another = await opened(dial(served));
    another.send('{"t":"state"}');
    await expect.poll(() => served.events().length).toBe(3);
    const types = served.events().map(({ requestContext }) => requestContext.eventType);
    expect(types).toEqual(['CONNECT', 'CONNECT', 'MESSAGE']);
  });

  test('comes after ten idle minutes, which any message in either direction puts off', async () => {
    const minute = 60_000;
    const served = await serve();
    const socket = await opened(dial(served));
    const closed = closeOf(socket);
    served.clock.advance(9 * minute);
    socket.send('ping');
    await nextMessage(socket);
    served.clock.advance(9 * minute);
    expect(served.connections.post(onlyId(served), Buffer.from('{}'))).toBe('sent');
    served.clock.advance(9 * minute);
    expect(served.connections.ids).toHaveLength(1);
    served.clock.advance(minute);
    expect(await closed).toEqual({ code: 1001, reason: 'Going away' });
  });

  test('comes after two hours however much is said', async () => {
    const served = await serve();
    const socket = await opened(dial(served));
    const closed = closeOf(socket);
    for (let minutes = 0; minutes < 120; minutes += 6) {
      expect(served.connections.post(onlyId(served), Buffer.from('{}'))).toBe('sent');
      served.clock.advance(6 * 60_000);
    }
    expect(await closed).toEqual({ code: 1001, reason: 'Going away' });
  });
});
