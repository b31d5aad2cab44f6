// Only what came through the distribution is served: the APIs behind it are not a second way in.
import { createHash, timingSafeEqual } from 'node:crypto';
import type { MiddlewareObj } from '@middy/core';
import type { APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { HubError, httpStatusOf } from '../../protocol/errors.ts';
import { failure, type HeaderRecord } from '../../protocol/wire.ts';

/** Header that the distribution adds to every request to an origin of ours. */
export const originHeader = 'x-tandry-origin';

interface Arriving {
  readonly headers?: HeaderRecord;
  /** Of a WebSocket API's event; an HTTP API's has none. */
  readonly requestContext: { readonly eventType?: string };
}

/**
 * What API Gateway tells of a connection that was let in: it passed the distribution as an upgrade.
 */
const ofOpenConnections: ReadonlySet<string | undefined> = new Set(['MESSAGE', 'DISCONNECT']);

/** Refuses requests and upgrades without the origin secret. */
export function throughFrontDoor(
  secret: string,
): MiddlewareObj<Arriving, APIGatewayProxyStructuredResultV2> {
  const expected = digest(secret);
  return {
    before: ({ event }) => {
      if (ofOpenConnections.has(event.requestContext.eventType)) return undefined;
      const given = Object.entries(event.headers ?? {}).find(
        ([name]) => name.toLowerCase() === originHeader,
      );
      if (timingSafeEqual(digest(given?.[1] ?? ''), expected)) return undefined;
      const error = new HubError('forbidden', 'use the address of the Hub itself');
      return {
        statusCode: httpStatusOf[error.code],
        headers: { 'content-type': 'application/json', 'cache-control': 'no-store' },
        body: JSON.stringify(failure(error)),
      };
    },
  };
}

/** Of equal length for any input, as the constant-time comparison needs. */
function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
