// A WebSocket API on one machine: opens connections by `$connect`, takes messages to their routes.
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import * as z from 'zod';
import type { StackClock } from '../clock.ts';
import { failed, type Outcome } from '../lambda/outcome.ts';
import {
  type Connection,
  type Connections,
  type LinkFaults,
  messageLimitBytes,
} from './connections.ts';
import type { WebSocketApiDefinition } from './definition.ts';
import {
  type ConnectionIdentity,
  connectEvent,
  disconnectEvent,
  headersOf,
  messageEvent,
} from './events.ts';
import { createFrameMeter } from './frame-meter.ts';

/** What became of a link, for the terminal and for tests; holds headers, never a frame. */
export type LinkChange = {
  change: 'opened' | 'refused' | 'closed';
  hostKind: string | undefined;
  /** HTTP status of the upgrade; once it is closed, the close code. */
  code: number;
  /** How long the upgrade took; once it is closed, how long the link was open. */
  durationMs: number;
};

export type WebSocketApiOptions = {
  definition: WebSocketApiDefinition;
  connections: Connections;
  faults: LinkFaults;
  clock: StackClock;
  invoke: (functionId: string, event: string) => Promise<Outcome>;
  onLink: (change: LinkChange) => void;
};

/**
 * An upgrade request as it reaches the API: its path and query there, and headers added on the way.
 */
export type Upgrade = {
  request: IncomingMessage;
  socket: Duplex;
  head: Buffer;
  path: string;
  rawQuery: string;
  domainName: string;
  headers: Readonly<Record<string, string>>;
};

const integrationTimeoutMs = 29_000;
const timedOut = failed('Integration.Timeout', 'Endpoint request timed out');
const ResultShape = z.object({ statusCode: z.number(), body: z.string().optional() });

/**
 * Refuses an upgrade; whether a body would reach the client is not documented, so there is none.
 */
export function refuseUpgrade(socket: Duplex, status: number): void {
  socket.end(
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`,
  );
}

/** Status of a `$connect`: anything but 2xx refuses the upgrade. */
function connectStatus(outcome: Outcome): number {
  if (outcome === timedOut) return 504;
  if (!outcome.ok) return 502;
  const result = ResultShape.safeParse(JSON.parse(outcome.payload));
  return result.success ? result.data.statusCode : 502;
}

export class WebSocketApi {
  readonly #options: WebSocketApiOptions;
  readonly #server = new WebSocketServer({ noServer: true, maxPayload: messageLimitBytes });

  constructor(options: WebSocketApiOptions) {
    this.#options = options;
  }

  /** Answers an upgrade request: with an open connection, or with a status that refuses it. */
  async upgrade(upgrade: Upgrade): Promise<void> {
    const { request, socket } = upgrade;
    const { definition, connections, clock } = this.#options;
    socket.on('error', () => socket.destroy());
    if (!new RegExp(`^/${definition.stage}/?$`).test(upgrade.path)) {
      refuseUpgrade(socket, 403);
      return;
    }
    const connection = connections.open();
    const identity = this.#identityOf(connection, upgrade);
    const headers = headersOf(request, upgrade.headers);
    const event = connectEvent(identity, headers, upgrade.rawQuery, clock.now());
    const startedAt = performance.now();
    const outcome = await this.#answerRoute('$connect', event);
    const statusCode = outcome ? connectStatus(outcome) : 200;
    const isRefused = statusCode < 200 || statusCode > 299;
    this.#report(isRefused ? 'refused' : 'opened', request, statusCode, startedAt);
    if (isRefused) {
      connections.forget(connection);
      refuseUpgrade(socket, statusCode);
    } else if (socket.destroyed) {
      this.#report('closed', request, 1006, startedAt);
      await this.#end(identity, connection, { code: 1006, reason: '' });
    } else {
      this.#server.handleUpgrade(request, socket, upgrade.head, (webSocket) => {
        this.#accept(webSocket, upgrade, identity, connection);
      });
    }
  }

  #accept(
    webSocket: WebSocket,
    { request, socket }: Upgrade,
    identity: ConnectionIdentity,
    connection: Connection,
  ): void {
    const { connections } = this.#options;
    const openedAt = performance.now();
    const isOverLimit = createFrameMeter();
    socket.on('data', (chunk: Buffer) => {
      if (isOverLimit(chunk)) webSocket.close(1009, 'Message too big');
    });
    webSocket.on('error', () => {});
    webSocket.on('message', (bytes, isBinary) => {
      connections.touch(connection);
      void this.#onMessage(webSocket, identity, String(bytes), isBinary);
    });
    webSocket.on('close', (code, reason) => {
      this.#report('closed', request, code, openedAt);
      void this.#end(identity, connection, { code, reason: String(reason) });
    });
    connection.socket = webSocket;
  }

  async #onMessage(
    webSocket: WebSocket,
    identity: ConnectionIdentity,
    body: string,
    isBinary: boolean,
  ): Promise<void> {
    const { definition, clock } = this.#options;
    const routeKey = isBinary ? '$default' : this.#routeOf(body);
    const target = definition.routes.get(routeKey);
    const complain = (message: string) =>
      webSocket.send(JSON.stringify({ message, connectionId: identity.connectionId }));
    if (!target) return complain('Forbidden');
    if ('text' in target) {
      if (target.text !== undefined) webSocket.send(target.text);
      return;
    }
    const event = messageEvent(identity, routeKey, body, clock.now());
    const outcome = await this.#answerRoute(routeKey, event);
    if (!outcome?.ok) return complain('Internal server error');
    const result = ResultShape.safeParse(JSON.parse(outcome.payload));
    if (target.answers && result.data?.body !== undefined) webSocket.send(result.data.body);
  }

  /** The route that a message names, if there is one of that name. */
  #routeOf(body: string): string {
    const { routeField, routes } = this.#options.definition;
    try {
      const name: unknown = Object(JSON.parse(body))[routeField];
      if (typeof name === 'string' && routes.has(name)) return name;
    } catch {
      // What is no JSON names no route.
    }
    return '$default';
  }

  /** What the route's function says; `undefined` when it has none. */
  async #answerRoute(routeKey: string, event: object): Promise<Outcome | undefined> {
    const target = this.#options.definition.routes.get(routeKey);
    if (!target || 'text' in target) return undefined;
    const { promise: late, resolve } = Promise.withResolvers<Outcome>();
    const timer = setTimeout(() => resolve(timedOut), integrationTimeoutMs);
    const answered = this.#options.invoke(target.functionId, JSON.stringify(event));
    const outcome = await Promise.race([answered, late]);
    clearTimeout(timer);
    return outcome;
  }

  async #end(
    identity: ConnectionIdentity,
    connection: Connection,
    close: { code: number; reason: string },
  ): Promise<void> {
    const { connections, faults, clock } = this.#options;
    connections.forget(connection);
    if (faults.dropsDisconnects) return;
    await this.#answerRoute('$disconnect', disconnectEvent(identity, close, clock.now()));
  }

  #identityOf(connection: Connection, { request, domainName }: Upgrade): ConnectionIdentity {
    const { apiId, stage } = this.#options.definition;
    return {
      connectionId: connection.id,
      connectedAtMs: connection.connectedAtMs,
      apiId,
      stage,
      domainName,
      sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
      userAgent: request.headers['user-agent'] ?? '',
    };
  }

  #report(
    change: LinkChange['change'],
    { headers }: IncomingMessage,
    code: number,
    startedAt: number,
  ): void {
    const { 'tandry-host': hostKind } = headers;
    this.#options.onLink({
      change,
      hostKind: typeof hostKind === 'string' ? hostKind : undefined,
      code,
      durationMs: performance.now() - startedAt,
    });
  }
}
