// What the store relies on: keys, expiry, the stream's content, and protection against loss.
import type { Template } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { hubTemplate, prodContext } from '../testing/hub-template.ts';

function tables(template: Template) {
  return Object.values(template.findResources('AWS::DynamoDB::GlobalTable'));
}

describe('the table', () => {
  const [table, ...others] = tables(hubTemplate());

  it('is the only one', () => {
    expect(table).toBeDefined();
    expect(others).toEqual([]);
  });

  it('has string keys pk and sk, and no index', () => {
    expect(table?.['Properties']).toMatchObject({
      KeySchema: [
        { AttributeName: 'pk', KeyType: 'HASH' },
        { AttributeName: 'sk', KeyType: 'RANGE' },
      ],
      AttributeDefinitions: [
        { AttributeName: 'pk', AttributeType: 'S' },
        { AttributeName: 'sk', AttributeType: 'S' },
      ],
    });
    expect(table?.['Properties']).not.toHaveProperty('GlobalSecondaryIndexes');
    expect(table?.['Properties']).not.toHaveProperty('LocalSecondaryIndexes');
  });

  it('expires items, bills on demand and streams keys, never content', () => {
    expect(table?.['Properties']).toMatchObject({
      TimeToLiveSpecification: { AttributeName: 'expiresAt', Enabled: true },
      BillingMode: 'PAY_PER_REQUEST',
      StreamSpecification: { StreamViewType: 'KEYS_ONLY' },
    });
  });

  it.each([
    ['dev', {}, false, 'Delete'],
    ['prod', prodContext, true, 'Retain'],
  ])(
    'can be restored in %s, and is protected as the stage asks',
    (_, context, protectedNow, policy) => {
      expect(tables(hubTemplate(context))).toMatchObject([
        {
          DeletionPolicy: policy,
          UpdateReplacePolicy: policy,
          Properties: {
            Replicas: [
              {
                PointInTimeRecoverySpecification: { PointInTimeRecoveryEnabled: true },
                DeletionProtectionEnabled: protectedNow,
              },
            ],
          },
        },
      ]);
    },
  );
});
