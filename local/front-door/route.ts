// Which behavior of a distribution a request takes, and what its origin gets to see of it.
import type { IncomingMessage } from 'node:http';
import { splitTarget } from '../http-api/event.ts';
import { type GatewayResponse, gatewayMessage, gatewayResponses } from '../http-api/response.ts';
import { matchesWildcard } from '../iam/wildcard.ts';
import type { Behavior, FrontDoorDefinition } from './definition.ts';
import { type EdgeResult, runEdgeFunction } from './edge-function.ts';

/** A request on its way to an origin. */
export type Passage = {
  /** The API's ID; `undefined` for the website. */
  apiId: string | undefined;
  domainName: string;
  /** At the origin, still percent-encoded. */
  path: string;
  rawQuery: string;
  /** Added on the way, in place of any that the viewer sent under these names. */
  headers: Readonly<Record<string, string>>;
};

const forbidden = gatewayMessage(403, 'Forbidden');

function atTheEdge({ edgeFunction }: Behavior, request: IncomingMessage, path: string): EdgeResult {
  if (edgeFunction === undefined) return { kind: 'request', path, headers: {} };
  try {
    return runEdgeFunction(edgeFunction, request, path);
  } catch {
    return { kind: 'response', response: gatewayResponses.unavailable };
  }
}

/** Where a request goes, or what the distribution itself answers. */
export function passThrough(
  { behaviors }: FrontDoorDefinition,
  request: IncomingMessage,
): Passage | GatewayResponse {
  const { path, rawQuery } = splitTarget(request.url ?? '/');
  const behavior = behaviors.find(({ pathPattern }) => matchesWildcard(pathPattern, path));
  if (!behavior?.allowedMethods.has(request.method ?? '')) return forbidden;
  const result = atTheEdge(behavior, request, path);
  if (result.kind === 'response') return result.response;
  const { apiId, domainName, path: originPath, headers } = behavior.origin;
  return {
    ...{ apiId, domainName, rawQuery },
    path: originPath + result.path,
    headers: { ...result.headers, ...headers },
  };
}
