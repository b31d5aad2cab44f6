// Reads the HTTP API out of a template: its routes with their functions, its stage, its limits.
import * as z from 'zod';
import type { FunctionDefinition } from '../lambda/definitions.ts';
import { StartError } from '../start-error.ts';
import { type Api, readApi, requirePermission } from '../template/apis.ts';
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
/** A route of the API and the function it invokes. */
export type RouteDefinition = { key: string; functionId: string; timeoutMs: number };

/** What the gateway needs to know of the API. */
export type HttpApiDefinition = {
  identity: ApiIdentity;
  routes: RouteDefinition[];
  stageLimits: RouteLimits | undefined;
  routeLimits: Record<string, RouteLimits>;
};

function readRoutes(
  resources: Resources,
  functions: Iterable<FunctionDefinition>,
  { apiId, own }: Api,
): RouteDefinition[] {
  const byArn = Map.groupBy(functions, ({ arn }) => arn);
  const integrations = new Map(
    resourcesOfType(own, 'AWS::ApiGatewayV2::Integration', IntegrationShape).map(
      ({ ref, properties }) => [`integrations/${ref}`, properties],
    ),
  );
  return resourcesOfType(own, 'AWS::ApiGatewayV2::Route', RouteShape).map((route) => {
    const { RouteKey: key, Target } = route.properties;
    const integration = integrations.get(Target);
    const [fn] = byArn.get(integration?.IntegrationUri ?? '') ?? [];
    if (!integration || !fn) throw new StartError(`${route.logicalId} leads to no function`);
    const source = key === '$default' ? '/$default' : key.replace(' ', '');
    requirePermission(resources, fn, { apiId, stage: '$default', route: source });
    return { key, functionId: fn.logicalId, timeoutMs: integration.TimeoutInMillis };
  });
}

/**
 * The template's HTTP API; throws a `StartError` that names whatever cannot be run as it stands.
 */
export function readHttpApi(
  resources: Resources,
  functions: Iterable<FunctionDefinition>,
): HttpApiDefinition {
  const api = readApi(resources, 'HTTP');
  if (!api) throw new StartError('The template has no HTTP API');
  resourcesOfType(api.own, 'AWS::ApiGatewayV2::Api', ApiShape);
  const [stage, second] = resourcesOfType(api.own, 'AWS::ApiGatewayV2::Stage', StageShape);
  if (!stage || second) throw new StartError('The HTTP API must have one stage');
  const { StageName, StageVariables, DefaultRouteSettings, RouteSettings } = stage.properties;
  return {
    identity: { apiId: api.apiId, stage: StageName, stageVariables: StageVariables },
    routes: readRoutes(resources, functions, api),
    stageLimits: DefaultRouteSettings,
    routeLimits: RouteSettings,
  };
}
