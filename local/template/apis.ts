// The APIs of a template: which resources belong to which, and who lets them invoke a function.
import * as z from 'zod';
import { matchesWildcard } from '../iam/wildcard.ts';
import type { FunctionDefinition } from '../lambda/definitions.ts';
import { StartError } from '../start-error.ts';
import { account, region } from './names.ts';
import { type Resources, resourcesOfType } from './typed.ts';

const ProtocolShape = z.object({ ProtocolType: z.enum(['HTTP', 'WEBSOCKET']) });
const PermissionShape = z.object({
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().default('*'),
});

/** An API with the resources that name it: its stage, routes, integrations. */
export type Api = { apiId: string; own: Resources };

/** The one API of that protocol; `undefined` when the template has none. */
export function readApi(
  resources: Resources,
  protocol: z.output<typeof ProtocolShape>['ProtocolType'],
): Api | undefined {
  const [api, second] = resourcesOfType(resources, 'AWS::ApiGatewayV2::Api', ProtocolShape).filter(
    ({ properties }) => properties.ProtocolType === protocol,
  );
  if (second) throw new StartError(`The template must have one ${protocol} API only`);
  if (!api) return undefined;
  const own = [...resources].filter(
    ([logicalId, { properties }]) => logicalId === api.logicalId || properties['ApiId'] === api.ref,
  );
  return { apiId: api.ref, own: new Map(own) };
}

/** A route as permissions name it: `POST/v1/{operation}`, or the key of a WebSocket API's route. */
export type RouteSource = { apiId: string; stage: string; route: string };

/** Throws unless a permission of the function lets the API invoke it for the route. */
export function requirePermission(
  resources: Resources,
  fn: FunctionDefinition,
  { apiId, stage, route }: RouteSource,
): void {
  const source = `arn:aws:execute-api:${region}:${account}:${apiId}/${stage}/${route}`;
  const permissions = resourcesOfType(resources, 'AWS::Lambda::Permission', PermissionShape);
  const isPermitted = permissions.some(
    ({ properties: { FunctionName, Principal, SourceArn } }) =>
      [fn.arn, fn.name].includes(FunctionName) &&
      Principal === 'apigateway.amazonaws.com' &&
      matchesWildcard(SourceArn, source),
  );
  if (isPermitted) return;
  throw new StartError(`${fn.logicalId} does not permit the API to invoke it for ${route}`);
}
