// What is told to links, that nothing else wakes the function, and that a batch which fails neither
// blocks the stream nor gets lost.
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { hubTemplate } from '../testing/hub-template.ts';

describe('notify', () => {
  const template = hubTemplate();
  const mappings = Object.values(
    template.findResources('AWS::Lambda::EventSourceMapping', {
      Properties: { FunctionName: { Ref: Match.stringLikeRegexp('^NotifyFunction') } },
    }),
  );
  const fromStream = mappings.find(({ Properties }) => 'StartingPosition' in Properties);
  const fromQueue = mappings.find(({ Properties }) => !('StartingPosition' in Properties));

  it('is fed by the stream and the delay queue alone', () => {
    expect(mappings).toHaveLength(2);
    expect(fromStream?.['Properties']['EventSourceArn']).toEqual({
      'Fn::GetAtt': [expect.stringMatching(/^Table/), 'StreamArn'],
    });
    expect(fromQueue?.['Properties']['EventSourceArn']).toEqual({
      'Fn::GetAtt': [expect.stringMatching(/^NotifyDelayQueue/), 'Arn'],
    });
  });

  it('hears of new log entries and of written links, and of nothing else', () => {
    const filters: { Pattern: string }[] = fromStream?.['Properties']['FilterCriteria']['Filters'];
    const pk = { S: [{ prefix: 'ROOM#' }] };
    expect(filters.map(({ Pattern }) => JSON.parse(Pattern))).toEqual([
      { eventName: ['INSERT'], dynamodb: { Keys: { pk, sk: { S: [{ prefix: 'LOG#' }] } } } },
      {
        eventName: ['INSERT', 'MODIFY'],
        dynamodb: { Keys: { pk, sk: { S: [{ prefix: 'LINK#' }] } } },
      },
    ]);
  });

  it('takes the stream at once, from where it begins, several batches of a shard at a time', () => {
    expect(fromStream?.['Properties']).toMatchObject({
      StartingPosition: 'TRIM_HORIZON',
      BatchSize: 100,
      MaximumBatchingWindowInSeconds: 0,
      ParallelizationFactor: 4,
    });
  });

  it('retries the stream within bounds, then sets the batch aside', () => {
    expect(fromStream?.['Properties']).toMatchObject({
      FunctionResponseTypes: ['ReportBatchItemFailures'],
      BisectBatchOnFunctionError: true,
      MaximumRetryAttempts: 4,
      MaximumRecordAgeInSeconds: 600,
      DestinationConfig: {
        OnFailure: {
          Destination: { 'Fn::GetAtt': [expect.stringMatching(/^NotifyFailedBatches/), 'Arn'] },
        },
      },
    });
  });

  it('takes a few delayed rooms at a time and reports each', () => {
    expect(fromQueue?.['Properties']).toMatchObject({
      BatchSize: 5,
      FunctionResponseTypes: ['ReportBatchItemFailures'],
    });
  });

  it('gives a delayed room five tries, each longer than the function may take', () => {
    template.hasResourceProperties('AWS::SQS::Queue', {
      VisibilityTimeout: 180,
      RedrivePolicy: {
        deadLetterTargetArn: {
          'Fn::GetAtt': [Match.stringLikeRegexp('^NotifyDeadLetters'), 'Arn'],
        },
        maxReceiveCount: 5,
      },
    });
    template.hasResourceProperties('AWS::Lambda::Function', {
      Description: 'Tells room links of mail',
      Timeout: 30,
      MemorySize: 512,
    });
  });
});
