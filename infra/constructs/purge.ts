// What removes a deleted room: fed by the tombstone's stream record, and by a queue over which it
// hands long work on to itself (design, section 3, deletion).
import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { EnvVars, PurgeEnv } from '../../functions/env.ts';
import { streamedKeys } from '../../functions/store/table.ts';
import type { HubConfig } from '../config.ts';
import { HubFunction } from './hub-function.ts';
import type { HubTable } from './hub-table.ts';
import { acknowledgeQueueSource, lastStop, workQueue } from './queues.ts';

type Props = Readonly<{
  config: Pick<HubConfig, 'logRetention' | 'removalPolicy'>;
  table: HubTable;
  /** The `@connections` endpoint of the links. */
  connectionsEndpoint: string;
}>;

const timeout = Duration.minutes(1);

/**
 * A room's META is modified when it is renamed and when it is deleted; the function tells which.
 */
const roomChanged = FilterCriteria.filter({
  eventName: FilterRule.isEqual('MODIFY'),
  dynamodb: {
    Keys: {
      pk: { S: FilterRule.beginsWith(streamedKeys.roomPartitionPrefix) },
      sk: { S: FilterRule.isEqual(streamedKeys.roomSortKey) },
    },
  },
});

export class Purge extends Construct {
  readonly fn: HubFunction;
  readonly queue: Queue;
  /** Queue messages that failed to the end; they can be redriven. */
  readonly deadLetters: Queue;
  /** Descriptions of stream batches that failed to the end; they say where to look, not what. */
  readonly failedBatches: Queue;

  constructor(scope: Construct, id: string, { config, table, connectionsEndpoint }: Props) {
    super(scope, id);
    this.deadLetters = lastStop(this, 'DeadLetters');
    this.failedBatches = lastStop(this, 'FailedBatches');
    const { deadLetters } = this;
    this.queue = workQueue(this, 'Queue', { timeout, deadLetters });
    this.fn = new HubFunction(this, 'Function', {
      config,
      description: 'Removes what is left of a deleted room',
      entry: 'purge.lambda.ts',
      environment: {
        TABLE_NAME: table.tableName,
        CONNECTIONS_ENDPOINT: connectionsEndpoint,
        PURGE_QUEUE_URL: this.queue.queueUrl,
      } satisfies EnvVars<typeof PurgeEnv>,
      memoryMiB: 512,
      timeout,
    });
    this.addSources(table);
    acknowledgeQueueSource(this.fn);
  }

  private addSources(table: HubTable): void {
    this.fn.addEventSource(
      new DynamoEventSource(table, {
        startingPosition: StartingPosition.TRIM_HORIZON,
        filters: [roomChanged],
        batchSize: 10,
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
        retryAttempts: 5,
        maxRecordAge: Duration.hours(1),
        onFailure: new SqsDlq(this.failedBatches),
      }),
    );
    this.fn.addEventSource(
      new SqsEventSource(this.queue, {
        batchSize: 1,
        reportBatchItemFailures: true,
        // A room at a time is enough; deletion must not crowd out what people are waiting for.
        maxConcurrency: 2,
      }),
    );
  }
}
