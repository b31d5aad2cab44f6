// An HTTP API on one machine: takes a request through its limits, its route and its function.
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Outcome } from '../lambda/outcome.ts';
import { type ApiIdentity, splitTarget, toEvent } from './event.ts';
import { type GatewayResponse, gatewayResponses, toResponse, writeResponse } from './response.ts';
import { createRouter, type Route } from './routes.ts';

const bodyLimitBytes = 10 * 1024 * 1024;
const headersLimitBytes = 10_240;

/** A route's integration: what it invokes and how long the gateway waits. */
export type Integration = { invoke: (event: string) => Promise<Outcome>; timeoutMs: number };

/** One answered request, for the terminal and for tests; holds headers, never a body. */
export type HttpCall = {
  method: string;
  path: string;
  routeKey: string | undefined;
  hostKind: string | undefined;
  statusCode: number;
  durationMs: number;
};

export type HttpApiOptions = {
  api: ApiIdentity;
  routes: readonly Route<Integration>[];
  /** Says whether a request of this route may pass now. */
  admits: (routeKey: string) => boolean;
  /** Whether `WWW-Authenticate` is renamed, as some front doors of AWS do. */
  remapsWwwAuthenticate: boolean;
  nowMs: () => number;
  onCall: (call: HttpCall) => void;
};

/** Bytes of the request line and all headers, as they came over the wire. */
function headerBytes(request: IncomingMessage): number {
  const line = `${request.method} ${request.url} HTTP/${request.httpVersion}\r\n`;
  const headers = request.rawHeaders.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
  // Each pair adds ": " and a line end.
  return Buffer.byteLength(line) + headers + request.rawHeaders.length * 2;
}

/** The whole body, or `undefined` when it is over the limit. */
async function readBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    // What is over the limit is read to its end, so that the client gets to see the answer.
    if (bytes <= bodyLimitBytes) chunks.push(chunk);
    else chunks.length = 0;
  }
  return bytes <= bodyLimitBytes ? Buffer.concat(chunks) : undefined;
}

async function answer({ invoke, timeoutMs }: Integration, event: object): Promise<GatewayResponse> {
  const { promise: timedOut, resolve } = Promise.withResolvers<GatewayResponse>();
  const timer = setTimeout(() => resolve(gatewayResponses.unavailable), timeoutMs);
  try {
    return await Promise.race([invoke(JSON.stringify(event)).then(toResponse), timedOut]);
  } finally {
    clearTimeout(timer);
  }
}

/** A request on its way through the front door: its target at the API, and headers added to it. */
export type Arrival = { target: string; headers: Readonly<Record<string, string>> };

export type HttpApiListener = (
  request: IncomingMessage,
  response: ServerResponse,
  arrival: Arrival,
) => Promise<void>;

function renameAuthenticate(response: GatewayResponse): GatewayResponse {
  const { 'www-authenticate': challenge, ...headers } = response.headers;
  if (challenge === undefined) return response;
  return { ...response, headers: { ...headers, 'x-amzn-remapped-www-authenticate': challenge } };
}

/** What answers requests as the API does. */
export function createHttpApi(options: HttpApiOptions): HttpApiListener {
  const findRoute = createRouter(options.routes);

  async function respond(
    request: IncomingMessage,
    arrival: Arrival,
  ): Promise<[GatewayResponse, string?]> {
    if (headerBytes(request) > headersLimitBytes) return [gatewayResponses.headersTooLarge];
    const { path } = splitTarget(arrival.target);
    const match = findRoute(request.method ?? 'GET', path);
    if (!match) return [gatewayResponses.notFound];
    const { key, target } = match.route;
    if (!options.admits(key)) return [gatewayResponses.tooManyRequests, key];
    const body = await readBody(request);
    if (!body) return [gatewayResponses.payloadTooLarge, key];
    const event = toEvent(request, {
      ...arrival,
      api: options.api,
      routeKey: key,
      pathParameters: match.pathParameters,
      body,
      nowMs: options.nowMs(),
    });
    return [await answer(target, event), key];
  }

  return async (request, response, arrival) => {
    const startedAt = performance.now();
    const [result, routeKey] = await respond(request, arrival).catch((error: unknown) => {
      const isMalformed = error instanceof URIError;
      return [isMalformed ? gatewayResponses.badRequest : gatewayResponses.functionFailed] as const;
    });
    const { remapsWwwAuthenticate } = options;
    writeResponse(response, remapsWwwAuthenticate ? renameAuthenticate(result) : result);
    const hostKind = request.headers['tandry-host'];
    options.onCall({
      method: request.method ?? '',
      path: splitTarget(request.url ?? '').path,
      routeKey,
      hostKind: typeof hostKind === 'string' ? hostKind : undefined,
      statusCode: result.statusCode,
      durationMs: performance.now() - startedAt,
    });
  };
}
