// `POST /mcp`: from API Gateway's event through the checks of the transport to the exchange, and
// back (design, section 6). Stateless: nothing is kept between two requests.
import { originValidationResponse } from '@modelcontextprotocol/server';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { type ErrorCode, httpStatusOf, logLevelOf } from '../../../protocol/errors.ts';
import { utf8Bytes } from '../../../protocol/text.ts';
import {
  type HeaderRecord,
  parseJson,
  readBearer,
  requestLimitBytes,
} from '../../../protocol/wire.ts';
import type { Hub } from '../../operations/hub.ts';
import { readBody } from '../event-body.ts';
import { exchange } from './exchange.ts';
import { challenge, methodNotAllowed, refusal } from './refusals.ts';
import { openSession } from './session.ts';

export interface McpEndpoint {
  readonly hub: Hub;
  /** The Hub's address, without a slash at the end. */
  readonly url: string;
  /** OAuth scope of a connector's token. */
  readonly scope: string;
}

/** Hosts that may send along where their chats are; browsers of anybody else have no business. */
const webHosts = ['claude.ai', 'claude.com', 'chatgpt.com'];

/** Headers that MCP gives a meaning to; the credential is not among them. */
const passedOn = /^(content-type|origin|mcp-[a-z0-9-]+)$/;

/** Answers any request to `/mcp`. */
export async function answerMcp(
  endpoint: McpEndpoint,
  event: APIGatewayProxyEventV2,
): Promise<APIGatewayProxyStructuredResultV2> {
  const { hub } = endpoint;
  const startedMs = hub.table.nowMs();
  const log = (outcome: ErrorCode, fault?: string) =>
    hub.log({
      level: logLevelOf[outcome],
      operation: 'mcp',
      outcome,
      ms: hub.table.nowMs() - startedMs,
      ...(fault !== undefined && { fault }),
    });
  const response = await respond(endpoint, event).catch((error: unknown) => {
    log('unavailable', error instanceof Error ? error.name : typeof error);
    return refusal(503, 'serverError', 'the Hub could not answer; repeat the same request');
  });
  if (response.status === httpStatusOf.not_logged_in) log('not_logged_in');
  return {
    statusCode: response.status,
    headers: { ...Object.fromEntries(response.headers), 'cache-control': 'no-store' },
    body: await response.text(),
  };
}

async function respond(
  { hub, url, scope }: McpEndpoint,
  event: APIGatewayProxyEventV2,
): Promise<Response> {
  if (event.requestContext.http.method !== 'POST') return methodNotAllowed();
  const request = requestOf(url, event.headers);
  if (request === undefined) return refusal(400, 'invalidRequest', 'a header is not valid');
  const strange = originValidationResponse(request, [new URL(url).hostname, ...webHosts]);
  if (strange !== undefined) return strange;
  const bearer = readBearer(event.headers);
  const session = bearer === undefined ? undefined : await openSession(hub, bearer);
  if (session === undefined) {
    const resourceMetadataUrl = `${url}/.well-known/oauth-protected-resource/mcp`;
    return challenge({ resourceMetadataUrl, scope }, problemOf(event.headers['authorization']));
  }
  const message = parseMessage(event);
  return message instanceof Response ? message : exchange(request, message.value, session);
}

/** Undefined if a header is none that HTTP allows. */
function requestOf(url: string, headers: HeaderRecord): Request | undefined {
  const named = Object.entries(headers).flatMap(([name, value]) =>
    passedOn.test(name) && value !== undefined ? [[name, value] as const] : [],
  );
  // Whatever a client accepts: JSON is all it gets, and no client asks for less.
  const accept = 'application/json, text/event-stream';
  try {
    return new Request(`${url}/mcp`, {
      method: 'POST',
      headers: { ...Object.fromEntries(named), accept },
    });
  } catch {
    return undefined;
  }
}

/** What is wrong with a credential that was not taken; undefined if there was none. */
function problemOf(authorization = ''): string | undefined {
  return authorization === ''
    ? undefined
    : 'the token is unknown, expired or not for this address: tokens of devices and of the ' +
        'website are not taken here';
}

/** The message of a request, or the answer to what is none. */
function parseMessage(event: APIGatewayProxyEventV2): { value: unknown } | Response {
  const body = readBody(event);
  if (body === undefined) return refusal(400, 'parseError', 'the request is not UTF-8');
  if (utf8Bytes(body) > requestLimitBytes) {
    return refusal(413, 'invalidRequest', `a request has at most ${requestLimitBytes} bytes`);
  }
  const value = parseJson(body);
  if (value === undefined) return refusal(400, 'parseError', 'the request is not JSON');
  // Of one revision only, and what one answer may show is reckoned for one call.
  if (Array.isArray(value)) return refusal(400, 'invalidRequest', 'batches are not served');
  return { value };
}
