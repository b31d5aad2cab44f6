// HTTP API event in, execute, response out (protocol, section 2, HTTP binding).
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { HubError, httpStatusOf } from '../../protocol/errors.ts';
import { decodeRequest, failure, success } from '../../protocol/wire.ts';
import { execute } from '../operations/execute.ts';
import type { Hub } from '../operations/hub.ts';

const healthRoute = 'GET /health';

/** Answers `POST /v1/{operation}` and `GET /health`; the latter touches neither Hub nor storage. */
export async function answerHttp(
  hub: Hub,
  event: APIGatewayProxyEventV2,
): Promise<APIGatewayProxyStructuredResultV2> {
  if (event.routeKey === healthRoute) return json(200, { ok: true, now: Date.now() });
  try {
    const { operation, headers, input } = decodeRequest(
      event.pathParameters?.['operation'] ?? '',
      event.headers,
      bodyOf(event),
    );
    const { bearer, room, caller } = headers;
    return json(200, success(await execute(hub, { operation, input, bearer, room, caller })));
  } catch (error) {
    const refusal =
      error instanceof HubError ? error : new HubError('unavailable', 'the Hub could not answer');
    return json(httpStatusOf[refusal.code], failure(refusal));
  }
}

/** API Gateway hands a body it takes for binary over as base64; text is UTF-8 or refused. */
function bodyOf({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): string {
  if (!isBase64Encoded) return body;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body, 'base64'));
  } catch {
    throw new HubError('invalid_input', 'the request is not UTF-8');
  }
}

function json(statusCode: number, body: unknown): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
    body: JSON.stringify(body),
  };
}
