// What each role may do, to the letter: a grant that is added or lost shows here.
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { hubTemplate, prodContext } from './testing/hub-template.ts';

type Statement = Readonly<{ Effect: string; Action: string | string[]; Resource: unknown }>;

const template = hubTemplate(prodContext);
const policies = Object.values(template.findResources('AWS::IAM::Policy'));

/** One line per statement, such as `Table.Arn: dynamodb:GetItem dynamodb:Query`. */
function grantsOf(role: RegExp): string[] {
  return policies
    .filter(({ Properties }) =>
      Properties['Roles'].some(({ Ref }: { Ref: string }) => role.test(Ref)),
    )
    .flatMap(({ Properties }) => Properties['PolicyDocument']['Statement'])
    .map(line)
    .sort();
}

function line({ Effect, Action, Resource }: Statement): string {
  expect(Effect).toBe('Allow');
  const resources = [Resource].flat().map(resourceName).join(' ');
  return `${resources}: ${[Action].flat().join(' ')}`;
}

/**
 * `Table.Arn` as such; of an ARN that is put together, its service and what follows the account.
 */
function resourceName(resource: unknown): string {
  const parsed = ofThisStack.parse(resource);
  if ('Fn::GetAtt' in parsed) return withoutHash(parsed['Fn::GetAtt'].join('.'));
  return parsed['Fn::Join'][1]
    .map((part) => (typeof part === 'string' ? part : withoutHash(part.Ref)))
    .join('')
    .replace('arn:AWS::Partition:', '')
    .replace('AWS::Region:AWS::AccountId:', '');
}

function withoutHash(text: string): string {
  return text.replace(/[0-9A-F]{8}(?=\.|$)/, '');
}

const ofThisStack = z.union([
  z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) }),
  z.strictObject({
    'Fn::Join': z.tuple([
      z.literal(''),
      z.array(z.union([z.string(), z.strictObject({ Ref: z.string() })])),
    ]),
  }),
]);

const connections =
  'execute-api:LinksApi/link/DELETE/@connections/* execute-api:LinksApi/link/POST/@connections/*: execute-api:ManageConnections';

describe('grants', () => {
  it('let the http function read and change items of the table, and end links', () => {
    expect(grantsOf(/^HttpRole/)).toEqual([
      'HttpLogs.Arn: logs:CreateLogStream logs:PutLogEvents',
      'Table.Arn: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:Query',
      'Table.Arn: dynamodb:ConditionCheckItem dynamodb:DeleteItem dynamodb:PutItem dynamodb:UpdateItem',
      connections,
    ]);
  });

  it('let the auth function read and change items of the table, and end links', () => {
    expect(grantsOf(/^AuthRole/)).toEqual([
      'AuthLogs.Arn: logs:CreateLogStream logs:PutLogEvents',
      'Table.Arn: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:Query',
      'Table.Arn: dynamodb:ConditionCheckItem dynamodb:DeleteItem dynamodb:PutItem dynamodb:UpdateItem',
      connections,
    ]);
  });

  it('let the mcp function read and change items of the table', () => {
    expect(grantsOf(/^McpRole/)).toEqual([
      'McpLogs.Arn: logs:CreateLogStream logs:PutLogEvents',
      'Table.Arn: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:Query',
      'Table.Arn: dynamodb:ConditionCheckItem dynamodb:DeleteItem dynamodb:PutItem dynamodb:UpdateItem',
    ]);
  });

  it('let the link function read and change single items, and end links', () => {
    expect(grantsOf(/^LinkRole/)).toEqual([
      'LinkLogs.Arn: logs:CreateLogStream logs:PutLogEvents',
      'Table.Arn: dynamodb:BatchGetItem dynamodb:GetItem',
      'Table.Arn: dynamodb:DeleteItem dynamodb:PutItem dynamodb:UpdateItem',
      connections,
    ]);
  });

  it('let the notify function read the table and the stream, tell and forget links', () => {
    expect(grantsOf(/^NotifyFunctionRole/)).toEqual([
      'NotifyDelayQueue.Arn: sqs:ChangeMessageVisibility sqs:DeleteMessage sqs:GetQueueAttributes sqs:GetQueueUrl sqs:ReceiveMessage',
      'NotifyDelayQueue.Arn: sqs:SendMessage',
      'NotifyFailedBatches.Arn: sqs:GetQueueAttributes sqs:GetQueueUrl sqs:SendMessage',
      'NotifyFunctionLogs.Arn: logs:CreateLogStream logs:PutLogEvents',
      'Table.Arn: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:Query',
      'Table.Arn: dynamodb:DeleteItem dynamodb:UpdateItem',
      'Table.StreamArn: dynamodb:DescribeStream dynamodb:GetRecords dynamodb:GetShardIterator dynamodb:ListStreams',
      connections,
    ]);
  });

  it('let the purge function remove items, end links, read the stream and feed itself', () => {
    expect(grantsOf(/^PurgeFunctionRole/)).toEqual([
      'PurgeFailedBatches.Arn: sqs:GetQueueAttributes sqs:GetQueueUrl sqs:SendMessage',
      'PurgeFunctionLogs.Arn: logs:CreateLogStream logs:PutLogEvents',
      'PurgeQueue.Arn: sqs:ChangeMessageVisibility sqs:DeleteMessage sqs:GetQueueAttributes sqs:GetQueueUrl sqs:ReceiveMessage',
      'PurgeQueue.Arn: sqs:SendMessage',
      'Table.Arn: dynamodb:DeleteItem',
      'Table.Arn: dynamodb:GetItem dynamodb:Query',
      'Table.StreamArn: dynamodb:DescribeStream dynamodb:GetRecords dynamodb:GetShardIterator dynamodb:ListStreams',
      connections,
    ]);
  });

  it('are to those six roles alone', () => {
    expect(policies).toHaveLength(6);
    expect(Object.keys(template.findResources('AWS::IAM::Role'))).toHaveLength(6);
  });

  it('have no managed policy, no inline policy, and a wildcard for connection IDs only', () => {
    const text = JSON.stringify(policies);
    expect(text).toContain('/@connections/*"');
    expect(text.replaceAll('/@connections/*"', '')).not.toContain('*');
    for (const { Properties } of Object.values(template.findResources('AWS::IAM::Role'))) {
      expect(Object.keys(Properties)).toEqual(['AssumeRolePolicyDocument']);
    }
  });
});
