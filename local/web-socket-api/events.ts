// The events that a WebSocket API gives to functions.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** What every event of a connection says about it. */
export type ConnectionIdentity = {
  connectionId: string;
  connectedAtMs: number;
  apiId: string;
  stage: string;
  domainName: string;
  sourceIp: string;
  userAgent: string;
};

type Headers = { headers: Record<string, string>; multiValueHeaders: Record<string, string[]> };

const id = () => randomBytes(9).toString('base64');

function contextOf(identity: ConnectionIdentity, nowMs: number, more: object): object {
  const { connectionId, connectedAtMs, apiId, stage, domainName, sourceIp, userAgent } = identity;
  return {
    ...more,
    apiId,
    connectedAt: connectedAtMs,
    connectionId,
    domainName,
    extendedRequestId: id(),
    identity: { sourceIp, userAgent },
    messageDirection: 'IN',
    requestId: id(),
    requestTimeEpoch: nowMs,
    stage,
  };
}

/** Headers in the client's own spelling, as a WebSocket API hands them on. */
export function headersOf(
  request: IncomingMessage,
  originHeaders: Readonly<Record<string, string>>,
): Headers {
  const multiValueHeaders: Record<string, string[]> = {};
  for (let index = 0; index < request.rawHeaders.length; index += 2) {
    const name = request.rawHeaders[index] ?? '';
    if (name.toLowerCase() in originHeaders) continue;
    multiValueHeaders[name] = [
      ...(multiValueHeaders[name] ?? []),
      request.rawHeaders[index + 1] ?? '',
    ];
  }
  for (const [name, value] of Object.entries(originHeaders)) multiValueHeaders[name] = [value];
  const headers = Object.entries(multiValueHeaders).map(
    ([name, values]) => [name, values.at(-1) ?? ''] as const,
  );
  return { headers: Object.fromEntries(headers), multiValueHeaders };
}

/** The event of `$connect`. */
export function connectEvent(
  identity: ConnectionIdentity,
  headers: Headers,
  rawQuery: string,
  nowMs: number,
): object {
  const query = [...new URLSearchParams(rawQuery)];
  return {
    ...headers,
    ...(query.length > 0 ? { queryStringParameters: Object.fromEntries(query) } : {}),
    requestContext: contextOf(identity, nowMs, { routeKey: '$connect', eventType: 'CONNECT' }),
    isBase64Encoded: false,
  };
}

/** The event of a message. */
export function messageEvent(
  identity: ConnectionIdentity,
  routeKey: string,
  body: string,
  nowMs: number,
): object {
  const more = { routeKey, eventType: 'MESSAGE', messageId: id() };
  return { requestContext: contextOf(identity, nowMs, more), body, isBase64Encoded: false };
}

/** The event of `$disconnect`: its headers are few, and none of them is the client's. */
export function disconnectEvent(
  identity: ConnectionIdentity,
  close: { code: number; reason: string },
  nowMs: number,
): object {
  const headers = {
    Host: identity.domainName,
    'x-api-key': '',
    'X-Forwarded-For': '',
    'x-restapi': '',
  };
  const more = {
    routeKey: '$disconnect',
    eventType: 'DISCONNECT',
    disconnectStatusCode: close.code,
    disconnectReason: close.reason,
  };
  return {
    headers,
    multiValueHeaders: Object.fromEntries(
      Object.entries(headers).map(([name, value]) => [name, [value]]),
    ),
    requestContext: contextOf(identity, nowMs, more),
    isBase64Encoded: false,
  };
}
