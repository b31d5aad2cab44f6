// The one table: keys, expiry and stream come from the store's own description of it.
import { AttributeType, Billing, StreamViewType, TableV2 } from 'aws-cdk-lib/aws-dynamodb';
import type { Construct } from 'constructs';
import { hubTable } from '../../functions/store/table.ts';
import type { HubConfig } from '../config.ts';

type Props = Pick<HubConfig, 'removalPolicy' | 'deletionProtection'>;

/** Encrypted with DynamoDB's own key: a customer key would add a KMS call to every request. */
export class HubTable extends TableV2 {
  constructor(scope: Construct, id: string, props: Props) {
    super(scope, id, {
      partitionKey: { name: hubTable.partitionKey, type: AttributeType.STRING },
      sortKey: { name: hubTable.sortKey, type: AttributeType.STRING },
      timeToLiveAttribute: hubTable.timeToLiveAttribute,
      dynamoStream: StreamViewType[hubTable.streamViewType],
      billing: Billing.onDemand(),
      pointInTimeRecoverySpecification: { pointInTimeRecoveryEnabled: true },
      deletionProtection: props.deletionProtection,
      removalPolicy: props.removalPolicy,
    });
  }
  /** Always there, because the stream is. */
  override get tableStreamArn(): string {
    return super.tableStreamArn ?? '';
  }
}
