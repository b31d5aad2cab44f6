// The HTTP API in front of the operations: routes, throttle and access log (protocol, section 2).
import { Stack, Validations } from 'aws-cdk-lib';
import { AccessLogField, AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import {
  HttpApi,
  HttpMethod,
  HttpStage,
  LogGroupLogDestination,
} from 'aws-cdk-lib/aws-apigatewayv2';
import { HttpLambdaIntegration } from 'aws-cdk-lib/aws-apigatewayv2-integrations';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';

type Props = Readonly<{
  config: Pick<HubConfig, 'logRetention' | 'removalPolicy'>;
  operations: IFunction;
}>;

/** A fuse for the bill, far above what people and agents cause; the send bucket is per member. */
const throttle = { rateLimit: 500, burstLimit: 1_000 };

// Chosen fields only: a header may hold a token, a query a secret, an address is a person's.
const accessLogFormat = AccessLogFormat.custom(
  JSON.stringify({
    requestId: AccessLogField.contextRequestId(),
    time: AccessLogField.contextRequestTime(),
    route: AccessLogField.contextRouteKey(),
    path: AccessLogField.contextPath(),
    status: AccessLogField.contextStatus(),
    responseBytes: AccessLogField.contextResponseLength(),
    latencyMs: AccessLogField.contextResponseLatency(),
    integrationStatus: AccessLogField.contextIntegrationStatus(),
    integrationError: AccessLogField.contextIntegrationErrorMessage(),
  }),
);

/**
 * No authorizer: the function verifies the credential itself, because tokens are of two kinds and
 * the answers must be the protocol's envelopes. No CORS: the website has the same origin.
 */
export class OperationsApi extends Construct {
  readonly api: HttpApi;
  readonly stage: HttpStage;

  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id);
    this.api = new HttpApi(this, 'Api', {
      apiName: Stack.of(this).stackName,
      createDefaultStage: false,
    });
    const integration = new HttpLambdaIntegration('Operations', props.operations);
    this.api.addRoutes({ path: '/v1/{operation}', methods: [HttpMethod.POST], integration });
    this.api.addRoutes({ path: '/health', methods: [HttpMethod.GET], integration });

    Validations.of(this.api).acknowledge({
      id: 'AwsSolutions::AwsSolutions-APIG4',
      reason: 'The function verifies the credential; /health needs none',
    });

    const accessLog = new LogGroup(this, 'AccessLog', {
      retention: props.config.logRetention,
      removalPolicy: props.config.removalPolicy,
    });
    this.stage = new HttpStage(this, 'Stage', {
      httpApi: this.api,
      stageName: '$default',
      autoDeploy: true,
      throttle,
      accessLogSettings: {
        destination: new LogGroupLogDestination(accessLog),
        format: accessLogFormat,
      },
    });
  }
}
