// Reads the WebSocket API out of a template: its routes, what answers them, and its stage.
import * as z from 'zod';
import type { FunctionDefinition } from '../lambda/definitions.ts';
import { StartError } from '../start-error.ts';
import { type Api, readApi, requirePermission } from '../template/apis.ts';
import { type Resources, resourcesOfType } from '../template/typed.ts';

// Strict shapes: a property that changes what the API does and is not here must not go unnoticed.
const ApiShape = z.strictObject({
  Name: z.string(),
  ProtocolType: z.literal('WEBSOCKET'),
  RouteSelectionExpression: z.string().regex(/^\$request\.body\.\w+$/),
  Description: z.string().optional(),
  Tags: z.unknown().optional(),
});
const RouteShape = z.strictObject({
  ApiId: z.string(),
  RouteKey: z.string(),
  Target: z.string().startsWith('integrations/'),
  AuthorizationType: z.literal('NONE').optional(),
  RouteResponseSelectionExpression: z.literal('$default').optional(),
});
const IntegrationShape = z.discriminatedUnion('IntegrationType', [
  z.strictObject({
    ApiId: z.string(),
    IntegrationType: z.literal('AWS_PROXY'),
    IntegrationUri: z.string(),
  }),
  z.strictObject({
    ApiId: z.string(),
    IntegrationType: z.literal('MOCK'),
    RequestTemplates: z.strictObject({ $default: z.string() }),
    TemplateSelectionExpression: z.string(),
  }),
]);
// Only fixed texts: a template with variables would have to be evaluated.
const fixedText = z.string().regex(/^[^$#]*$/);
const IntegrationResponseShape = z.strictObject({
  ApiId: z.string(),
  IntegrationId: z.string(),
  IntegrationResponseKey: z.literal('$default'),
  ResponseTemplates: z.strictObject({ $default: fixedText }),
  TemplateSelectionExpression: z.string(),
});
const RouteResponseShape = z.strictObject({
  ApiId: z.string(),
  RouteId: z.string(),
  RouteResponseKey: z.literal('$default'),
});
const StageShape = z.strictObject({
  ApiId: z.string(),
  StageName: z.string(),
  AutoDeploy: z.literal(true),
  DefaultRouteSettings: z.unknown().optional(),
  AccessLogSettings: z.unknown().optional(),
  Tags: z.unknown().optional(),
});

/** What answers a route: a function, or always the same text (`undefined`: nothing is sent). */
export type RouteTarget = { functionId: string; answers: boolean } | { text: string | undefined };

export type WebSocketApiDefinition = {
  apiId: string;
  stage: string;
  /** The field of a JSON message that names its route. */
  routeField: string;
  routes: ReadonlyMap<string, RouteTarget>;
};

function readRoutes(
  resources: Resources,
  functions: Iterable<FunctionDefinition>,
  { apiId, own }: Api,
  stage: string,
): Map<string, RouteTarget> {
  const all = [...functions];
  const integrations = resourcesOfType(own, 'AWS::ApiGatewayV2::Integration', IntegrationShape);
  const texts = resourcesOfType(
    own,
    'AWS::ApiGatewayV2::IntegrationResponse',
    IntegrationResponseShape,
  );
  const answered = new Set(
    resourcesOfType(own, 'AWS::ApiGatewayV2::RouteResponse', RouteResponseShape).map(
      ({ properties }) => properties.RouteId,
    ),
  );
  const targetOf = (routeKey: string, target: string, answers: boolean): RouteTarget => {
    const integration = integrations.find(({ ref }) => target === `integrations/${ref}`);
    if (integration?.properties.IntegrationType === 'MOCK') {
      const text = texts.find(({ properties }) => properties.IntegrationId === integration.ref);
      return { text: answers ? text?.properties.ResponseTemplates.$default : undefined };
    }
    const uri = integration?.properties.IntegrationUri ?? '';
    const fn = all.find(({ arn }) => uri.includes(`/functions/${arn}/invocations`));
    if (!fn) throw new StartError(`The route ${routeKey} leads to no function`);
    requirePermission(resources, fn, { apiId, stage, route: routeKey });
    return { functionId: fn.logicalId, answers };
  };
  const routes = resourcesOfType(own, 'AWS::ApiGatewayV2::Route', RouteShape);
  return new Map(
    routes.map(({ ref, properties }) => {
      const isTwoWay = properties.RouteResponseSelectionExpression !== undefined;
      const answers = isTwoWay && answered.has(ref);
      return [properties.RouteKey, targetOf(properties.RouteKey, properties.Target, answers)];
    }),
  );
}

/** The template's WebSocket API; `undefined` when it has none. */
export function readWebSocketApi(
  resources: Resources,
  functions: Iterable<FunctionDefinition>,
): WebSocketApiDefinition | undefined {
  const api = readApi(resources, 'WEBSOCKET');
  if (!api) return undefined;
  const [settings] = resourcesOfType(api.own, 'AWS::ApiGatewayV2::Api', ApiShape);
  const [stage, second] = resourcesOfType(api.own, 'AWS::ApiGatewayV2::Stage', StageShape);
  if (!settings || !stage || second) throw new StartError('The WebSocket API must have one stage');
  const { StageName } = stage.properties;
  return {
    apiId: api.apiId,
    stage: StageName,
    routeField: settings.properties.RouteSelectionExpression.split('.').at(-1) ?? '',
    routes: readRoutes(resources, functions, api, StageName),
  };
}
