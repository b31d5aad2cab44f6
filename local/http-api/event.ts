// Turns a request into the event of payload format 2.0, as an HTTP API hands it to a function.
import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { account } from '../template/names.ts';

/** What an event says about the API it came through. */
export type ApiIdentity = {
  apiId: string;
  stage: string;
  stageVariables: Record<string, string> | undefined;
};

/** What an event says beyond the request itself. */
export type EventDetails = {
  /** Path and query at the API. */
  target: string;
  /** Headers added on the way, in place of any the client sent under these names. */
  headers: Readonly<Record<string, string>>;
  api: ApiIdentity;
  routeKey: string;
  pathParameters: Record<string, string> | undefined;
  body: Buffer;
  nowMs: number;
};

/** Headers that concern one connection only, and cookies, which have a field of their own. */
const withheldHeaders = new Set([
  'connection',
  'cookie',
  'expect',
  'keep-alive',
  'proxy-connection',
  'te',
  'transfer-encoding',
  'upgrade',
]);
const textTypes = /^(text\/|application\/(json|javascript|xml|[^;]*\+(json|xml))(;|$))/;

/** Names in lower case, values of a repeated header joined by a comma. */
function joinHeaders(rawHeaders: readonly string[]): Map<string, string> {
  const headers = new Map<string, string>();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = (rawHeaders[index] ?? '').toLowerCase();
    const value = rawHeaders[index + 1] ?? '';
    const former = headers.get(name);
    headers.set(name, former === undefined ? value : `${former},${value}`);
  }
  return headers;
}

function queryParameters(rawQuery: string): Record<string, string> | undefined {
  if (rawQuery === '') return undefined;
  const parameters = new Map<string, string>();
  for (const [name, value] of new URLSearchParams(rawQuery)) {
    const former = parameters.get(name);
    parameters.set(name, former === undefined ? value : `${former},${value}`);
  }
  return Object.fromEntries(parameters);
}

/** `30/Nov/2026:14:22:01 +0000` */
function requestTime(nowMs: number): string {
  const [, day, month, year, time] = new Date(nowMs).toUTCString().split(' ');
  return `${day}/${month}/${year}:${time} +0000`;
}

/** The path and the query of a request target, both as they came. */
export function splitTarget(target: string): { path: string; rawQuery: string } {
  const question = target.indexOf('?');
  if (question < 0) return { path: target, rawQuery: '' };
  return { path: target.slice(0, question), rawQuery: target.slice(question + 1) };
}

/** The event of a request; throws a `URIError` where its path is not percent-encoded properly. */
export function toEvent(request: IncomingMessage, details: EventDetails): APIGatewayProxyEventV2 {
  const { api, routeKey, body, nowMs } = details;
  const { path, rawQuery } = splitTarget(details.target);
  const rawPath = decodeURIComponent(path);
  const headers = joinHeaders(request.rawHeaders);
  const cookies = headers.get('cookie')?.split(/;\s*/);
  for (const name of withheldHeaders) headers.delete(name);
  for (const [name, value] of Object.entries(details.headers)) headers.set(name, value);
  const sourceIp = request.socket.remoteAddress ?? '127.0.0.1';
  headers.set(
    'x-forwarded-for',
    [headers.get('x-forwarded-for') ?? [], sourceIp].flat().join(', '),
  );
  headers.set('x-forwarded-port', String(request.socket.localPort ?? 0));
  headers.set('x-forwarded-proto', 'http');
  const isText = textTypes.test(headers.get('content-type') ?? 'text/plain');
  const query = queryParameters(rawQuery);
  const domainName = headers.get('host') ?? '';
  return {
    version: '2.0',
    routeKey,
    rawPath,
    rawQueryString: rawQuery,
    ...(cookies ? { cookies } : {}),
    headers: Object.fromEntries(headers),
    ...(query ? { queryStringParameters: query } : {}),
    requestContext: {
      accountId: account,
      apiId: api.apiId,
      domainName,
      domainPrefix: domainName.split('.')[0] ?? '',
      http: {
        method: request.method ?? 'GET',
        path: rawPath,
        protocol: `HTTP/${request.httpVersion}`,
        sourceIp,
        userAgent: headers.get('user-agent') ?? '',
      },
      requestId: randomBytes(12).toString('base64'),
      routeKey,
      stage: api.stage,
      time: requestTime(nowMs),
      timeEpoch: nowMs,
    },
    ...(details.pathParameters ? { pathParameters: details.pathParameters } : {}),
    ...(api.stageVariables ? { stageVariables: api.stageVariables } : {}),
    ...(body.length > 0 ? { body: body.toString(isText ? 'utf8' : 'base64') } : {}),
    isBase64Encoded: body.length > 0 && !isText,
  };
}
