// Runs a CloudFront function on a viewer's request: it changes the request, or answers it itself.
import type { IncomingMessage } from 'node:http';
import { createContext, Script } from 'node:vm';
import * as z from 'zod';
import type { GatewayResponse } from '../http-api/response.ts';

const HeadersShape = z.record(z.string(), z.object({ value: z.string() }));
const RequestShape = z.object({ uri: z.string(), headers: HeadersShape });
const ResponseShape = z.object({
  statusCode: z.number(),
  headers: HeadersShape.default({}),
  body: z
    .union([z.string(), z.object({ data: z.string() }).transform(({ data }) => data)])
    .default(''),
});

/** What the function makes of a request. */
export type EdgeResult =
  | {
      kind: 'request';
      path: string;
      /** Headers that it set or changed. */
      headers: Record<string, string>;
    }
  | { kind: 'response'; response: GatewayResponse };

/** CloudFront allows a millisecond or so; this only ends what would never end. */
const timeoutMs = 1_000;

function toEvent(request: IncomingMessage, path: string) {
  const headers = Object.entries(request.headers).map(
    ([name, value]) => [name, { value: [value].flat().join(',') }] as const,
  );
  return {
    version: '1.0',
    context: { eventType: 'viewer-request' },
    viewer: { ip: request.socket.remoteAddress ?? '127.0.0.1' },
    request: {
      method: request.method,
      uri: path,
      querystring: {},
      cookies: {},
      headers: Object.fromEntries(headers),
    },
  };
}

const plain = (headers: z.output<typeof HeadersShape>) =>
  Object.fromEntries(Object.entries(headers).map(([name, { value }]) => [name, value]));

/** Runs the function's source; throws what it throws. */
export function runEdgeFunction(
  source: string,
  request: IncomingMessage,
  path: string,
): EdgeResult {
  const event = toEvent(request, path);
  const before = plain(event.request.headers);
  // By way of JSON, so that nothing of this process can be reached from within.
  const script = new Script(`${source}\nJSON.stringify(handler(${JSON.stringify(event)}));`);
  const result: unknown = JSON.parse(
    script.runInContext(createContext({}), { timeout: timeoutMs }),
  );
  const answered = ResponseShape.safeParse(result);
  if (answered.success) {
    const { statusCode, headers, body } = answered.data;
    const response = { statusCode, headers: plain(headers), cookies: [], body: Buffer.from(body) };
    return { kind: 'response', response };
  }
  const { uri, headers } = RequestShape.parse(result);
  const changed = Object.entries(plain(headers)).filter(([name, value]) => before[name] !== value);
  return { kind: 'request', path: uri, headers: Object.fromEntries(changed) };
}
