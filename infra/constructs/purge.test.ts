// What starts a purge, and that a batch which fails neither blocks the stream nor gets lost.
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { hubTemplate } from '../testing/hub-template.ts';

describe('purge', () => {
  const template = hubTemplate();
  const mappings = Object.values(
    template.findResources('AWS::Lambda::EventSourceMapping', {
      Properties: { FunctionName: { Ref: Match.stringLikeRegexp('^PurgeFunction') } },
    }),
  );
  const fromStream = mappings.find(({ Properties }) => 'StartingPosition' in Properties);
  const fromQueue = mappings.find(({ Properties }) => 'ScalingConfig' in Properties);

  it('is fed by the stream and the queue alone', () => {
    expect(mappings).toHaveLength(2);
    expect(fromStream?.['Properties']['EventSourceArn']).toEqual({
      'Fn::GetAtt': [expect.stringMatching(/^Table/), 'StreamArn'],
    });
    expect(fromQueue?.['Properties']['EventSourceArn']).toEqual({
      'Fn::GetAtt': [expect.stringMatching(/^PurgeQueue/), 'Arn'],
    });
  });

  it('starts when the META row of a room is changed, and at nothing else', () => {
    const filters = fromStream?.['Properties']['FilterCriteria']['Filters'];
    expect(filters).toHaveLength(1);
    expect(JSON.parse(filters[0].Pattern)).toEqual({
      eventName: ['MODIFY'],
      dynamodb: { Keys: { pk: { S: [{ prefix: 'ROOM#' }] }, sk: { S: ['META'] } } },
    });
  });

  it('retries the stream within bounds, then sets the batch aside', () => {
    expect(fromStream?.['Properties']).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 10,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 5,
      MaximumRecordAgeInSeconds: 3_600,
      DestinationConfig: {
        OnFailure: {
          Destination: { 'Fn::GetAtt': [expect.stringMatching(/^PurgeFailedBatches/), 'Arn'] },
        },
      },
    });
  });

  it('takes the queue one room at a time, two at once', () => {
    expect(fromQueue?.['Properties']).toMatchObject({
      BatchSize: 1,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      ScalingConfig: { MaximumConcurrency: 2 },
    });
  });

  it('gives a message five tries, each longer than the function may take', () => {
    template.hasResourceProperties('AWS::SQS::Queue', {
      VisibilityTimeout: 360,
      RedrivePolicy: {
        deadLetterTargetArn: { 'Fn::GetAtt': [Match.stringLikeRegexp('^PurgeDeadLetters'), 'Arn'] },
        maxReceiveCount: 5,
      },
    });
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: Match.stringLikeRegexp('deleted room'),
      Timeout: 60,
    });
  });
});
