// The WebSocket API of the room links: routes, throttle and access log (protocol, section 3).
import { Stack, Validations } from 'aws-cdk-lib';
import { AccessLogField } from 'aws-cdk-lib/aws-apigateway';
import {
  CfnIntegration,
  CfnIntegrationResponse,
  CfnRoute,
  CfnRouteResponse,
  WebSocketApi,
  WebSocketStage,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { WebSocketLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';
import { accessLog } from './access-log.ts';

type Props = Readonly<{ config: Pick<HubConfig, 'logRetention' | 'removalPolicy'> }>;

/** Frames of clients, not those posted to them: each sends a `ping` a minute and few `state`s. */
const throttle = { rateLimit: 500, burstLimit: 1_000 };

const loggedFields = {
  requestId: AccessLogField.contextRequestId(),
  time: AccessLogField.contextRequestTime(),
  route: AccessLogField.contextRouteKey(),
  event: AccessLogField.contextEventType(),
  connection: AccessLogField.contextConnectionId(),
  status: AccessLogField.contextStatus(),
  integrationStatus: AccessLogField.contextIntegrationStatus(),
  integrationLatencyMs: AccessLogField.contextIntegrationLatency(),
  integrationError: AccessLogField.contextIntegrationErrorMessage(),
};

/** Selects the one template there is; the backslash makes it a text instead of a variable. */
const onlyTemplate = '\\$default';

/** No authorizer: the function verifies the credential, as on the HTTP API. */
export class LinkApi extends Construct {
  readonly api: WebSocketApi;
  readonly stage: WebSocketStage;

  constructor(scope: Construct, id: string, { config }: Props) {
    super(scope, id);
    this.api = new WebSocketApi(this, 'Api', {
      apiName: `${Stack.of(this).stackName}-links`,
      routeSelectionExpression: '$request.body.t',
    });
    Validations.of(this.api).acknowledge({
      id: 'AwsSolutions::AwsSolutions-APIG4',
      reason: 'The function verifies the credential at $connect; later frames come over that link',
    });
    this.stage = new WebSocketStage(this, 'Stage', {
      webSocketApi: this.api,
      stageName: 'link',
      autoDeploy: true,
      throttle,
      accessLogSettings: accessLog(this, config, loggedFields),
    });
    this.stage.node.addDependency(this.addPong());
  }

  /**
   * Hands opening, closing and `state` frames to a function, which may itself depend on the API.
   */
  addLinks(fn: IFunction): void {
    const integration = new WebSocketLambdaIntegration('Links', fn);
    for (const key of ['$connect', '$disconnect', 'state']) {
      this.stage.node.addDependency(this.api.addRoute(key, { integration }));
    }
  }

  /**
   * Whatever else a client sends, which is the bare text `ping`, is answered without a function.
   */
  private addPong(): CfnRoute {
    const { apiId } = this.api;
    const integration = new CfnIntegration(this, 'Pong', {
      apiId,
      integrationType: 'MOCK',
      requestTemplates: { $default: JSON.stringify({ statusCode: 200 }) },
      templateSelectionExpression: onlyTemplate,
    });
    new CfnIntegrationResponse(this, 'PongText', {
      apiId,
      integrationId: integration.ref,
      integrationResponseKey: '$default',
      responseTemplates: { $default: 'pong' },
      templateSelectionExpression: onlyTemplate,
    });
    const route = new CfnRoute(this, 'PongRoute', {
      apiId,
      routeKey: '$default',
      target: `integrations/${integration.ref}`,
      routeResponseSelectionExpression: '$default',
    });
    new CfnRouteResponse(this, 'PongRouteResponse', {
      apiId,
      routeId: route.ref,
      routeResponseKey: '$default',
    });
    Validations.of(route).acknowledge({
      id: 'AwsSolutions::AwsSolutions-APIG4',
      reason: 'Reached over a link that $connect has let in',
    });
    return route;
  }
}
