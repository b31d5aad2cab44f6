// What the runner does with each resource type: it runs it, or leaves it out for a written reason.
import { StartError } from '../start-error.ts';
import type { Template } from './load.ts';

/** Types whose behaviour the local stack gives. */
export const runTypes: ReadonlySet<string> = new Set([
  'AWS::ApiGatewayV2::Api',
  'AWS::ApiGatewayV2::Integration',
  'AWS::ApiGatewayV2::IntegrationResponse',
  'AWS::ApiGatewayV2::Route',
  'AWS::ApiGatewayV2::RouteResponse',
  'AWS::ApiGatewayV2::Stage',
  'AWS::CloudFront::Distribution',
  'AWS::CloudFront::Function',
  'AWS::Cognito::UserPool',
  'AWS::Cognito::UserPoolClient',
  'AWS::DynamoDB::GlobalTable',
  'AWS::DynamoDB::Table',
  'AWS::IAM::Policy',
  'AWS::IAM::Role',
  'AWS::Lambda::EventSourceMapping',
  'AWS::Lambda::Function',
  'AWS::Lambda::Permission',
  'AWS::SQS::Queue',
  'AWS::SecretsManager::Secret',
]);

/** Types that are left out on purpose, and why nothing a handler does depends on them. */
export const ignoredTypes: Readonly<Record<string, string>> = {
  'AWS::CDK::Metadata': 'says which CDK made the template',
  'AWS::CertificateManager::Certificate': 'all traffic here is loopback',
  'AWS::CloudFormation::CustomResource': 'acts on the deployment, not on requests',
  'AWS::CloudFront::CloudFrontOriginAccessIdentity': 'guards a bucket that is a folder here',
  'AWS::CloudFront::OriginAccessControl': 'guards a bucket that is a folder here',
  'AWS::CloudFront::ResponseHeadersPolicy': 'sets headers of the website alone',
  'AWS::CloudWatch::Alarm': 'nobody is on call for one machine',
  'AWS::CloudWatch::Dashboard': 'nobody is on call for one machine',
  'AWS::Cognito::ManagedLoginBranding': 'the stand-in has a login page of its own',
  'AWS::Cognito::UserPoolDomain': 'the stand-in has an address of its own',
  'AWS::KMS::Alias': 'nothing is encrypted at rest here',
  'AWS::KMS::Key': 'nothing is encrypted at rest here',
  'AWS::Logs::LogGroup': 'log lines go to the terminal',
  'AWS::Logs::MetricFilter': 'nobody is on call for one machine',
  'AWS::Route53::RecordSet': 'all traffic here is loopback',
  'AWS::S3::Bucket': 'holds the website, which is not served here',
  'AWS::S3::BucketPolicy': 'guards a bucket that is a folder here',
  'AWS::SNS::Subscription': 'nobody is on call for one machine',
  'AWS::SNS::Topic': 'carries alarms only',
  'AWS::SNS::TopicPolicy': 'carries alarms only',
  'AWS::SQS::QueuePolicy': 'demands TLS; all traffic here is loopback',
};

/** Logical IDs that a resource refers to, by Ref, GetAtt or Sub. */
function references(expression: unknown): string[] {
  if (Array.isArray(expression)) return expression.flatMap(references);
  if (typeof expression !== 'object' || expression === null) return [];
  return Object.entries(expression).flatMap(([name, argument]) => {
    if (name === 'Ref') return [String(argument)];
    if (name === 'Fn::GetAtt') return [String([argument].flat()[0]).split('.')[0] ?? ''];
    if (name !== 'Fn::Sub') return references(argument);
    const [text, own] = Array.isArray(argument) ? argument : [argument, {}];
    const names = [...String(text).matchAll(/\$\{([^!}.]+)[^}]*\}/g)].map(
      (match) => match[1] ?? '',
    );
    return [...names, ...references(own)];
  });
}

/**
 * Refuses a template in which something that runs here refers to a resource of a type the runner
 * does not know, or such a resource refers to a function, which it may be meant to invoke.
 */
export function refuseUnknownTypes(template: Template): void {
  const typeOf = (logicalId: string) => template.Resources[logicalId]?.Type ?? '';
  const isUnknown = (type: string) =>
    type !== '' && !runTypes.has(type) && !Object.hasOwn(ignoredTypes, type);
  for (const [logicalId, { Type, Properties }] of Object.entries(template.Resources)) {
    if (!isUnknown(Type) && !runTypes.has(Type)) continue;
    const others = references(Properties);
    const unknown = isUnknown(Type)
      ? others.some((other) => typeOf(other) === 'AWS::Lambda::Function') && logicalId
      : others.find((other) => isUnknown(typeOf(other)));
    if (!unknown) continue;
    const reason = unknown === logicalId ? 'refers to a function' : `${logicalId} depends on it`;
    throw new StartError(
      `The template's ${unknown} is a ${typeOf(unknown)}, which does not run here, and ${reason}`,
    );
  }
}
