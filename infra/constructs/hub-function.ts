// A Lambda function as every one of the Hub's is built: one bundle, its own log group and a role
// that starts with nothing but writing to it.
import { type Duration, Validations } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import {
  Architecture,
  Function as LambdaFunction,
  LoggingFormat,
  Runtime,
} from 'aws-cdk-lib/aws-lambda';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import { bundledCode } from '../bundle.ts';
import type { HubConfig } from '../config.ts';

export type HubFunctionProps = Readonly<{
  config: Pick<HubConfig, 'logRetention' | 'removalPolicy'>;
  description: string;
  /** File under `functions/` that exports `handler`. */
  entry: `${string}.lambda.ts`;
  environment: Record<string, string>;
  memoryMiB: number;
  timeout: Duration;
}>;

export class HubFunction extends LambdaFunction {
  constructor(scope: Construct, id: string, props: HubFunctionProps) {
    const logGroup = new LogGroup(scope, `${id}Logs`, {
      retention: props.config.logRetention,
      removalPolicy: props.config.removalPolicy,
    });
    // A role of our own, because the one Lambda would get may write to every log group.
    const role = new Role(scope, `${id}Role`, {
      assumedBy: new ServicePrincipal('lambda.amazonaws.com'),
    });
    super(scope, id, {
      description: props.description,
      code: bundledCode(props.entry),
      handler: 'index.handler',
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMiB,
      timeout: props.timeout,
      environment: props.environment,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
    });
    logGroup.grantWrite(role);
    Validations.of(this).acknowledge(
      {
        id: 'Serverless::Serverless-LambdaDLQ',
        reason: 'Never invoked asynchronously: an API call returns its error, a source has its own',
      },
      {
        id: 'Serverless::Serverless-LambdaTracing',
        reason: 'Log lines with request IDs and metrics tell enough; X-Ray adds weight and cost',
      },
    );
  }
}
