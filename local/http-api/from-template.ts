// Reads the HTTP API out of a template: its routes with their functions, its stage, its limits.
import * as z from 'zod';
import type { LocalFunction } from '../lambda/functions.ts';
import { StartError } from '../start-error.ts';
import { account, namesByType, region } from '../template/names.ts';
import type { ResolvedResource } from '../template/resolve.ts';
import type { ApiIdentity } from './event.ts';
import type { Integration } from './gateway.ts';
import type { Route } from './routes.ts';
import type { RouteLimits } from './throttle.ts';

// Strict shapes: a property that changes what the API does and is not here must not go unnoticed.
const ApiShape = z.strictObject({
  Name: z.string(),
  ProtocolType: z.enum(['HTTP', 'WEBSOCKET']),
  Description: z.string().optional(),
  DisableExecuteApiEndpoint: z.boolean().optional(),
  Tags: z.record(z.string(), z.string()).optional(),
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
  IntegrationMethod: z.string().optional(),
});
const LimitsShape = z
  .object({ ThrottlingBurstLimit: z.number(), ThrottlingRateLimit: z.number() })
  .transform((it) => ({ burst: it.ThrottlingBurstLimit, ratePerSecond: it.ThrottlingRateLimit }));
const StageShape = z.strictObject({
  ApiId: z.string(),
  StageName: z.literal('$default'),
  AutoDeploy: z.literal(true),
  StageVariables: z.record(z.string(), z.string()).optional(),
  DefaultRouteSettings: LimitsShape.optional(),
  RouteSettings: z.record(z.string(), LimitsShape).default({}),
  AccessLogSettings: z.unknown().optional(),
  Tags: z.record(z.string(), z.string()).optional(),
});
const PermissionShape = z.object({
  FunctionName: z.string(),
  Principal: z.string(),
  SourceArn: z.string().optional(),
});

/** What the gateway needs to know of the API. */
export type HttpApiDefinition = {
  logicalId: string;
  identity: ApiIdentity;
  routes: Route<Integration>[];
  stageLimits: RouteLimits | undefined;
  routeLimits: Record<string, RouteLimits>;
};

type Resources = ReadonlyMap<string, ResolvedResource>;

function parse<Schema extends z.ZodType>(schema: Schema, it: ResolvedResource): z.output<Schema> {
  const parsed = schema.safeParse(it.properties);
  if (parsed.success) return parsed.data;
  throw new StartError(`${it.logicalId} (${it.Type}): ${z.prettifyError(parsed.error)}`);
}

const ofType = (resources: Resources, type: string) =>
  [...resources.values()].filter((resource) => resource.Type === type);

const refOf = (resource: ResolvedResource) => namesByType[resource.Type]?.ref(resource);

/** Whether a permission lets the API invoke the function for this route. */
function isPermitted(resources: Resources, fn: LocalFunction, apiId: string, routeKey: string) {
  const path = routeKey === '$default' ? '/$default' : routeKey.replace(' ', '');
  const source = `arn:aws:execute-api:${region}:${account}:${apiId}/$default/${path}`;
  return ofType(resources, 'AWS::Lambda::Permission')
    .map((resource) => parse(PermissionShape, resource))
    .some(({ FunctionName, Principal, SourceArn = '*' }) => {
      const pattern = SourceArn.replace(/[.*+?^${}()|[\]\\]/g, '\\$&').replaceAll('\\*', '.*');
      const isSame = FunctionName === fn.arn || FunctionName === fn.name;
      const isApi = Principal === 'apigateway.amazonaws.com';
      return isSame && isApi && new RegExp(`^${pattern}$`).test(source);
    });
}

function integrationOf(
  resources: Resources,
  target: string,
  fns: Iterable<LocalFunction>,
): Integration {
  const integrationId = target.slice('integrations/'.length);
  const resource = ofType(resources, 'AWS::ApiGatewayV2::Integration').find(
    (candidate) => refOf(candidate) === integrationId,
  );
  if (!resource) throw new StartError(`A route targets ${target}, which the template lacks`);
  const { IntegrationUri, TimeoutInMillis } = parse(IntegrationShape, resource);
  const fn = [...fns].find(({ arn }) => IntegrationUri.includes(arn));
  if (!fn) throw new StartError(`${resource.logicalId} invokes ${IntegrationUri}, unknown here`);
  return { fn, timeoutMs: TimeoutInMillis };
}

/** The template's HTTP API; throws a `StartError` that names whatever cannot be run as it stands. */
export function readHttpApi(
  resources: Resources,
  functions: ReadonlyMap<string, LocalFunction>,
): HttpApiDefinition {
  const apis = ofType(resources, 'AWS::ApiGatewayV2::Api').filter(
    (resource) => parse(ApiShape, resource).ProtocolType === 'HTTP',
  );
  const [api, second] = apis;
  if (!api || second) throw new StartError('The template must have exactly one HTTP API');
  const apiId = refOf(api) ?? '';
  const stage = ofType(resources, 'AWS::ApiGatewayV2::Stage')
    .map((resource) => parse(StageShape, resource))
    .find((candidate) => candidate.ApiId === apiId);
  if (!stage) throw new StartError(`${api.logicalId} has no stage`);
  const routes = ofType(resources, 'AWS::ApiGatewayV2::Route')
    .map((resource) => parse(RouteShape, resource))
    .filter(({ ApiId }) => ApiId === apiId)
    .map(({ RouteKey, Target }) => {
      const target = integrationOf(resources, Target, functions.values());
      if (isPermitted(resources, target.fn, apiId, RouteKey)) return { key: RouteKey, target };
      throw new StartError(
        `${target.fn.logicalId} does not permit the API to invoke it for ${RouteKey}`,
      );
    });
  return {
    logicalId: api.logicalId,
    identity: { apiId, stage: stage.StageName, stageVariables: stage.StageVariables },
    routes,
    stageLimits: stage.DefaultRouteSettings,
    routeLimits: stage.RouteSettings,
  };
}
