// The HTTP API in front of operations, sign-in and MCP: routes, throttle and access log (protocol,
// section 2).
import { Stack, Validations } from 'aws-cdk-lib';
import { AccessLogField } from 'aws-cdk-lib/aws-apigateway';
import { HttpApi, HttpMethod, HttpStage } from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';
import { accessLog } from './access-log.ts';

type Props = Readonly<{ config: Pick<HubConfig, 'logRetention' | 'removalPolicy'> }>;

/** A fuse for the bill, far above what people and agents cause; the send bucket is per member. */
const throttle = { rateLimit: 500, burstLimit: 1_000 };

const loggedFields = {
  requestId: AccessLogField.contextRequestId(),
  time: AccessLogField.contextRequestTime(),
  route: AccessLogField.contextRouteKey(),
  path: AccessLogField.contextPath(),
  status: AccessLogField.contextStatus(),
  responseBytes: AccessLogField.contextResponseLength(),
  latencyMs: AccessLogField.contextResponseLatency(),
  integrationStatus: AccessLogField.contextIntegrationStatus(),
  integrationError: AccessLogField.contextIntegrationErrorMessage(),
};

const { ANY, DELETE, GET, OPTIONS, POST } = HttpMethod;

/** Methods by path, by the function that answers. What is not here is 404. */
const routes = {
  Operations: { '/v1/{operation}': [POST], '/health': [GET] },
  Auth: {
    // More specific than that of the other operations.
    '/v1/login_start': [POST],
    '/v1/login_status': [POST],
    // Some of it is asked for by pages of other origins, and by OPTIONS first.
    '/oauth/{proxy+}': [ANY],
    '/device': [GET, POST],
    '/device/{proxy+}': [GET, POST],
    '/.well-known/oauth-authorization-server': [GET, OPTIONS],
    '/.well-known/oauth-protected-resource': [GET, OPTIONS],
    '/.well-known/oauth-protected-resource/mcp': [GET, OPTIONS],
  },
  // All but the first to be refused in MCP's own words.
  Mcp: { '/mcp': [POST, GET, DELETE] },
} as const satisfies Record<string, Record<string, readonly HttpMethod[]>>;

/**
 * No authorizer: the functions verify the credential themselves, because tokens are of two kinds
 * and the answers must be the protocol's envelopes. No CORS: the website has the same origin, and
 * the authorization server answers other origins itself.
 */
export class OperationsApi extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;

  constructor(scope: Construct, id: string, { config }: Props) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
    });
    Validations.of(this.api).acknowledge({
      id: 'AwsSolutions::AwsSolutions-APIG4',
      reason: 'The functions verify the credential; what needs none is public',
    });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle,
      accessLogSettings: accessLog(this, config, loggedFields),
    });
  }

  /** Hands the routes of one kind to a function, which may itself depend on the API. */
  addRoutes(kind: keyof typeof routes, fn: IFunction): void {
    const integration = new HttpLambdaIntegration(kind, fn);
    for (const [path, methods] of Object.entries<readonly HttpMethod[]>(routes[kind])) {
      this.api.addRoutes({ path, methods: [...methods], integration });
    }
  }
}
