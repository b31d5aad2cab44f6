// Which behavior of a distribution a request takes, and what its origin gets to see of it.
import { runInNewContext } from 'node:vm';
import * as z from 'zod';
import { matchesWildcard } from '../iam/wildcard.ts';
import type { Behavior, FrontDoorDefinition, Origin } from './definition.ts';

const EdgeResultShape = z.object({ uri: z.string() });

/** A request on its way to an origin: the path it has there, still percent-encoded. */
export type Passage = { origin: Origin; path: string };

/** Runs a CloudFront function; only what it does to the path is looked at. */
function runEdgeFunction(source: string, method: string, uri: string): string {
  const event = { version: '1.0', request: { method, uri, querystring: {}, headers: {} } };
  const result: unknown = runInNewContext(`${source}\nhandler(event);`, { event });
  return EdgeResultShape.parse(result).uri;
}

function behaviorOf({ behaviors }: FrontDoorDefinition, path: string): Behavior | undefined {
  return behaviors.find(({ pathPattern }) => matchesWildcard(pathPattern, path));
}

/** Where a request goes; `undefined` where its method is not allowed. */
export function passThrough(
  definition: FrontDoorDefinition,
  method: string,
  path: string,
): Passage | undefined {
  const behavior = behaviorOf(definition, path);
  if (!behavior?.allowedMethods.has(method)) return undefined;
  const { origin, edgeFunction } = behavior;
  const uri = edgeFunction === undefined ? path : runEdgeFunction(edgeFunction, method, path);
  return { origin, path: origin.path + uri };
}
