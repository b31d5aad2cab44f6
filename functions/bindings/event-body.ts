// The body of an HTTP API's event as text.
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

/**
 * API Gateway hands a body it takes for binary over as base64. Undefined if that is not UTF-8: it
 * would change on its way.
 */
export function readBody({
  body = '',
  isBase64Encoded,
}: Pick<APIGatewayProxyEventV2, 'body' | 'isBase64Encoded'>): string | undefined {
  if (!isBase64Encoded) return body;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Buffer.from(body, 'base64'));
  } catch {
    return undefined;
  }
}
