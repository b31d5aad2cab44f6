// The HTTP API in front of the operations: routes, throttle and access log (protocol, section 2).
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

/**
 * No authorizer: the function verifies the credential itself, because tokens are of two kinds and
 * the answers must be the protocol's envelopes. No CORS: the website has the same origin.
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
      reason: 'The function verifies the credential; /health needs none',
    });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle,
      accessLogSettings: accessLog(this, config, loggedFields),
    });
  }

  /** Hands the routes of the binding to a function, which may itself depend on the API. */
  addOperations(fn: IFunction): void {
    const integration = new HttpLambdaIntegration('Operations', fn);
    this.api.addRoutes({ path: '/v1/{operation}', methods: [HttpMethod.POST], integration });
    this.api.addRoutes({ path: '/health', methods: [HttpMethod.GET], integration });
  }
}
