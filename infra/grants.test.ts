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
  const [logicalId, attribute] = ofThisStack.parse(Resource)['Fn::GetAtt'];
  return `${logicalId.replace(/[0-9A-F]{8}$/, '')}.${attribute}: ${[Action].flat().join(' ')}`;
}

const ofThisStack = z.strictObject({ 'Fn::GetAtt': z.tuple([z.string(), z.string()]) });

describe('grants', () => {
  it('let the http function read and change items of the table', () => {
    expect(grantsOf(/^HttpRole/)).toEqual([
      'HttpLogs.Arn: logs:CreateLogStream logs:PutLogEvents',
      'Table.Arn: dynamodb:BatchGetItem dynamodb:GetItem dynamodb:Query',
      'Table.Arn: dynamodb:ConditionCheckItem dynamodb:DeleteItem dynamodb:PutItem dynamodb:UpdateItem',
    ]);
  });

  it('let the purge function remove items, read the stream and feed itself', () => {
    expect(grantsOf(/^PurgeFunctionRole/)).toEqual([
      'PurgeFailedBatches.Arn: sqs:GetQueueAttributes sqs:GetQueueUrl sqs:SendMessage',
      'PurgeFunctionLogs.Arn: logs:CreateLogStream logs:PutLogEvents',
      'PurgeQueue.Arn: sqs:ChangeMessageVisibility sqs:DeleteMessage sqs:GetQueueAttributes sqs:GetQueueUrl sqs:ReceiveMessage',
      'PurgeQueue.Arn: sqs:SendMessage',
      'Table.Arn: dynamodb:DeleteItem',
      'Table.Arn: dynamodb:GetItem dynamodb:Query',
      'Table.StreamArn: dynamodb:DescribeStream dynamodb:GetRecords dynamodb:GetShardIterator dynamodb:ListStreams',
    ]);
  });

  it('are to those two roles alone', () => {
    expect(policies).toHaveLength(2);
    expect(Object.keys(template.findResources('AWS::IAM::Role'))).toHaveLength(2);
  });

  it('have no wildcard, no managed policy and no inline policy anywhere', () => {
    expect(JSON.stringify(policies)).not.toContain('*');
    for (const { Properties } of Object.values(template.findResources('AWS::IAM::Role'))) {
      expect(Object.keys(Properties)).toEqual(['AssumeRolePolicyDocument']);
    }
  });
});
