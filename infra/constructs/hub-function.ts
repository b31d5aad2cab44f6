// A Lambda function as every one of the Hub's is built: one bundle, its own log group and a role
// that starts with nothing but writing to it.
import { join } from 'node:path';
import type { Duration } from 'aws-cdk-lib';
import { Role, ServicePrincipal } from 'aws-cdk-lib/aws-iam';
import { Architecture, LoggingFormat, Runtime } from 'aws-cdk-lib/aws-lambda';
import { NodejsFunction, OutputFormat } from 'aws-cdk-lib/aws-lambda-nodejs';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';

const projectRoot = join(import.meta.dirname, '..', '..');

export type HubFunctionProps = Readonly<{
  config: Pick<HubConfig, 'logRetention' | 'removalPolicy'>;
  description: string;
  /** File under `functions/` that exports `handler`. */
  entry: `${string}.lambda.ts`;
  environment: Record<string, string>;
  memoryMiB: number;
  timeout: Duration;
}>;

export class HubFunction extends NodejsFunction {
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
      entry: join(projectRoot, 'functions', props.entry),
      projectRoot,
      depsLockFilePath: join(projectRoot, 'package-lock.json'),
      runtime: Runtime.NODEJS_24_X,
      architecture: Architecture.ARM_64,
      memorySize: props.memoryMiB,
      timeout: props.timeout,
      environment: props.environment,
      role,
      logGroup,
      loggingFormat: LoggingFormat.JSON,
      // CommonJS loads faster than ESM here, and the SDK of the runtime is older than ours.
      bundling: {
        format: OutputFormat.CJS,
        minify: true,
        sourceMap: false,
        bundleAwsSDK: true,
        mainFields: ['module', 'main'],
        target: 'node24',
      },
    });
    logGroup.grantWrite(role);
  }
}
