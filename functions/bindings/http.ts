// HTTP API event in, execute, response out (protocol, section 2, HTTP binding).
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { HubError, httpStatusOf } from '../../protocol/errors.ts';
import { decodeRequest, failure, success } from '../../protocol/wire.ts';
import { execute } from '../operations/execute.ts';
import type { Hub } from '../operations/hub.ts';
import { readBody } from './event-body.ts';

const healthRoute = 'GET /health';

/**
 * Answers `POST /v1/{operation}` and `GET /health`; the latter touches neither Hub nor storage.
 * `address` is the caller's, for operations that need no credential.
 */
export async function answerHttp(
  hub: Hub,
  event: APIGatewayProxyEventV2,
  address?: string,
): Promise<APIGatewayProxyStructuredResultV2> {
  if (event.routeKey === healthRoute) return json(200, { ok: true, now: Date.now() });
  try {
    const { operation, headers, input } = decodeRequest(
      operationOf(event),
      event.headers,
      bodyOf(event),
    );
    const { bearer, room, caller } = headers;
    const call = { operation, input, bearer, room, caller, address };
    return json(200, success(await execute(hub, call)));
  } catch (error) {
    const refusal =
      error instanceof HubError ? error : new HubError('unavailable', 'the Hub could not answer');
    return json(httpStatusOf[refusal.code], failure(refusal));
  }
}

/** Routes of a single operation have no path parameter. */
function operationOf({ pathParameters, rawPath }: APIGatewayProxyEventV2): string {
  return pathParameters?.['operation'] ?? rawPath.split('/').at(-1) ?? '';
}

function bodyOf(event: APIGatewayProxyEventV2): string {
  const body = readBody(event);
  if (body === undefined) throw new HubError('invalid_input', 'the request is not UTF-8');
  return body;
}

function json(statusCode: number, body: unknown): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}
