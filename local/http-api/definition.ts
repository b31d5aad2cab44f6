// Reads the HTTP API out of a template: its routes with their functions, its stage, its limits.
import * as z from 'zod';
import { matchesWildcard } from '../iam/wildcard.ts';
import type { FunctionDefinition } from '../lambda/definitions.ts';
import { StartError } from '../start-error.ts';
import { account, region } from '../template/names.ts';
import { type Resources, resourcesOfType } from '../template/typed.ts';
import type { ApiIdentity } from './event.ts';
import type { RouteLimits } from './throttle.ts';

// Strict shapes: a property that changes what the API does and is not here must not go unnoticed.
const ApiShape = z.strictObject({
  Name: z.string(),
  ProtocolType: z.literal('HTTP'),
  Description: z.string().optional(),
  DisableExecuteApiEndpoint: z.boolean().optional(),
  Tags: z.unknown().optional(),
});
const RouteShape = z.strictObject({
  ApiId: z.string(),
  RouteKey: z.string(),
  Target: z.string().startsWith('integrations/'),
  AuthorizationType: z.literal('NONE').optional(),
});
const IntegrationShape = z.strictObject({
  ApiId: z.string(),
  IntegrationType: z.literal('AWS_PROXY'),
  IntegrationUri: z.string(),
  PayloadFormatVersion: z.literal('2.0'),
  TimeoutInMillis: z.number().max(30_000).default(30_000),
});
const LimitsShape = z
  .strictObject({ ThrottlingBurstLimit: z.number(), ThrottlingRateLimit: z.number() })
  .transform((it) => ({ burst: it.ThrottlingBurstLimit, ratePerSecond: it.ThrottlingRateLimit }));
const StageShape = z.strictObject({
  ApiId: z.string(),
  StageName: z.literal('$default'),
  AutoDeploy: z.literal(true),
  StageVariables: z.record(z.string(), z.string()).optional(),
  DefaultRouteSettings: LimitsShape.optional(),
  RouteSettings: z.record(z.string(), LimitsShape).default({}),
  AccessLogSettings: z.unknown().optional(),
  Tags: z.unknown().optional(),
});
const PermissionShape = z.object({
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().default('*'),
});

/** A route of the API and the function it invokes. */
export type RouteDefinition = { key: string; functionId: string; timeoutMs: number };

/** What the gateway needs to know of the API. */
export type HttpApiDefinition = {
  identity: ApiIdentity;
  routes: RouteDefinition[];
  stageLimits: RouteLimits | undefined;
  routeLimits: Record<string, RouteLimits>;
};

/** Throws unless a permission of the function lets the API invoke it for this route. */
function requirePermission(
  resources: Resources,
  fn: FunctionDefinition,
  apiId: string,
  routeKey: string,
): void {
  const path = routeKey === '$default' ? '/$default' : routeKey.replace(' ', '');
  const source = `arn:aws:execute-api:${region}:${account}:${apiId}/$default/${path}`;
  const permissions = resourcesOfType(resources, 'AWS::Lambda::Permission', PermissionShape);
  const isPermitted = permissions.some(
    ({ properties: { FunctionName, Principal, SourceArn } }) =>
      [fn.arn, fn.name].includes(FunctionName) &&
      Principal === 'apigateway.amazonaws.com' &&
      matchesWildcard(SourceArn, source),
  );
  if (isPermitted) return;
  throw new StartError(`${fn.logicalId} does not permit the API to invoke it for ${routeKey}`);
}

function readRoutes(
  resources: Resources,
  functions: Iterable<FunctionDefinition>,
  apiId: string,
): RouteDefinition[] {
  const byArn = Map.groupBy(functions, ({ arn }) => arn);
  const integrations = new Map(
    resourcesOfType(resources, 'AWS::ApiGatewayV2::Integration', IntegrationShape).map(
      ({ ref, properties }) => [`integrations/${ref}`, properties],
    ),
  );
  return resourcesOfType(resources, 'AWS::ApiGatewayV2::Route', RouteShape).map((route) => {
    const { RouteKey: key, Target } = route.properties;
    const integration = integrations.get(Target);
    const [fn] = byArn.get(integration?.IntegrationUri ?? '') ?? [];
    if (!integration || !fn) throw new StartError(`${route.logicalId} leads to no function`);
    requirePermission(resources, fn, apiId, key);
    return { key, functionId: fn.logicalId, timeoutMs: integration.TimeoutInMillis };
  });
}

/** The template's HTTP API; throws a `StartError` that names whatever cannot be run as it stands. */
export function readHttpApi(
  resources: Resources,
  functions: Iterable<FunctionDefinition>,
): HttpApiDefinition {
  const [api, secondApi] = resourcesOfType(resources, 'AWS::ApiGatewayV2::Api', ApiShape);
  const [stage, secondStage] = resourcesOfType(resources, 'AWS::ApiGatewayV2::Stage', StageShape);
  if (!api || secondApi || !stage || secondStage) {
    throw new StartError('The template must have exactly one HTTP API with one stage');
  }
  const { StageName, StageVariables, DefaultRouteSettings, RouteSettings } = stage.properties;
  return {
    identity: { apiId: api.ref, stage: StageName, stageVariables: StageVariables },
    routes: readRoutes(resources, functions, api.ref),
    stageLimits: DefaultRouteSettings,
    routeLimits: RouteSettings,
  };
}
