// One table of physical names, ARNs and attributes: what `Ref` and `Fn::GetAtt` give for each type.
import { createHash } from 'node:crypto';

/** Where the pretended account lives; the same for every local stack. */
export const account = '000000000000';
export const region = 'eu-central-1';

/** What a name is made of: the resource's logical ID and its evaluated properties. */
export type Named = { logicalId: string; properties: Readonly<Record<string, unknown>> };
type Name = (resource: Named) => string;
type Names = { ref: Name; attributes?: Readonly<Record<string, Name>> };

const id = (length: number, prefix = ''): Name => {
  return ({ logicalId }) =>
    prefix + createHash('sha256').update(logicalId).digest('hex').slice(0, length);
};
const named =
  (property: string): Name =>
  ({ logicalId, properties }) => {
    const given = properties[property];
    return typeof given === 'string' ? given : logicalId;
  };
const arn =
  (service: string, resource: Name): Name =>
  (it) =>
    `arn:aws:${service}:${region}:${account}:${resource(it)}`;
const globalArn =
  (service: string, resource: Name): Name =>
  (it) =>
    `arn:aws:${service}::${resource(it)}`;
const prefixed =
  (prefix: string, name: Name, suffix = ''): Name =>
  (it) =>
    prefix + name(it) + suffix;

const tableName = named('TableName');
const table: Names = {
  ref: tableName,
  attributes: {
    Arn: arn('dynamodb', prefixed('table/', tableName)),
    StreamArn: arn('dynamodb', prefixed('table/', tableName, '/stream/2026-01-01T00:00:00.000')),
  },
};
const queueName = named('QueueName');
const functionName = named('FunctionName');
const roleName = named('RoleName');
const bucketName: Name = (it) => named('BucketName')(it).toLowerCase();
const poolId = prefixed(`${region}_`, id(9));
const apiId = id(10);
const distributionHost = prefixed('d', id(13), '.cloudfront.net');
const functionArn = globalArn('cloudfront', prefixed(`${account}:function/`, named('Name')));
const logGroupName = named('LogGroupName');
const topicName = named('TopicName');
const alarmName = named('AlarmName');

/**
 * Names by resource type. A type that is not here has its logical ID for `Ref` and no attributes.
 */
export const namesByType: Readonly<Record<string, Names>> = {
  'AWS::DynamoDB::GlobalTable': table,
  'AWS::DynamoDB::Table': table,
  'AWS::Lambda::Function': {
    ref: functionName,
    attributes: { Arn: arn('lambda', prefixed('function:', functionName)) },
  },
  'AWS::IAM::Role': {
    ref: roleName,
    attributes: {
      Arn: globalArn('iam', prefixed(`${account}:role/`, roleName)),
      RoleId: id(17, 'AROA'),
    },
  },
  'AWS::SQS::Queue': {
    ref: prefixed(`https://sqs.${region}.amazonaws.com/${account}/`, queueName),
    attributes: { Arn: arn('sqs', queueName), QueueName: queueName },
  },
  'AWS::ApiGatewayV2::Api': {
    ref: apiId,
    attributes: {
      ApiId: apiId,
      ApiEndpoint: (it) => {
        const scheme = it.properties['ProtocolType'] === 'WEBSOCKET' ? 'wss' : 'https';
        return `${scheme}://${apiId(it)}.execute-api.${region}.amazonaws.com`;
      },
    },
  },
  'AWS::ApiGatewayV2::Stage': { ref: named('StageName') },
  'AWS::ApiGatewayV2::Integration': { ref: id(7) },
  'AWS::ApiGatewayV2::Route': { ref: id(7) },
  'AWS::Cognito::UserPool': {
    ref: poolId,
    attributes: {
      UserPoolId: poolId,
      Arn: arn('cognito-idp', prefixed('userpool/', poolId)),
      ProviderName: prefixed(`cognito-idp.${region}.amazonaws.com/`, poolId),
      ProviderURL: prefixed(`https://cognito-idp.${region}.amazonaws.com/`, poolId),
    },
  },
  'AWS::Cognito::UserPoolClient': {
    ref: id(26),
    attributes: { ClientId: id(26), Name: named('ClientName') },
  },
  'AWS::Cognito::UserPoolDomain': { ref: named('Domain') },
  'AWS::Logs::LogGroup': {
    ref: logGroupName,
    attributes: { Arn: arn('logs', prefixed('log-group:', logGroupName, ':*')) },
  },
  'AWS::S3::Bucket': {
    ref: bucketName,
    attributes: {
      Arn: globalArn('s3', prefixed(':', bucketName)),
      DomainName: prefixed('', bucketName, '.s3.amazonaws.com'),
      RegionalDomainName: prefixed('', bucketName, `.s3.${region}.amazonaws.com`),
    },
  },
  'AWS::CloudFront::Distribution': {
    ref: id(13, 'E'),
    attributes: { Id: id(13, 'E'), DomainName: distributionHost },
  },
  'AWS::CloudFront::Function': {
    ref: functionArn,
    attributes: { FunctionARN: functionArn },
  },
  'AWS::SecretsManager::Secret': { ref: arn('secretsmanager', prefixed('secret:', named('Name'))) },
  'AWS::SNS::Topic': {
    ref: arn('sns', topicName),
    attributes: { TopicArn: arn('sns', topicName), TopicName: topicName },
  },
  'AWS::CloudWatch::Alarm': {
    ref: alarmName,
    attributes: { Arn: arn('cloudwatch', prefixed('alarm:', alarmName)) },
  },
};
