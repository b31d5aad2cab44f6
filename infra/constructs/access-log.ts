// What an API writes about a request: chosen fields in a log group of its own.
import { AccessLogFormat } from 'aws-cdk-lib/aws-apigateway';
import { type IAccessLogSettings, LogGroupLogDestination } from 'aws-cdk-lib/aws-apigatewayv2';
import { LogGroup } from 'aws-cdk-lib/aws-logs';
import type { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';

/**
 * A log of these fields only: a header may hold a token, a query a secret, and an address is
 * somebody's.
 * @param fields name in the log line to the gateway's variable, such as `$context.status`
 */
export function accessLog(
  scope: Construct,
  config: Pick<HubConfig, 'logRetention' | 'removalPolicy'>,
  fields: Readonly<Record<string, string>>,
): IAccessLogSettings {
  const logGroup = new LogGroup(scope, 'AccessLog', {
    retention: config.logRetention,
    removalPolicy: config.removalPolicy,
  });
  return {
    destination: new LogGroupLogDestination(logGroup),
    format: AccessLogFormat.custom(JSON.stringify(fields)),
  };
}
