// What tells links of mail: fed by the table's stream, and by a queue on which rooms wait that took
// too long for their batch (design, section 4).
import { Duration } from 'aws-cdk-lib';
import { FilterCriteria, FilterRule, StartingPosition } from 'aws-cdk-lib/aws-lambda';
import { DynamoEventSource, SqsDlq, SqsEventSource } from 'aws-cdk-lib/aws-lambda-event-sources';
import type { Queue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { EnvVars, NotifyEnv } from '../../functions/env.ts';
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

const timeout = Duration.seconds(30);

/** A new entry of a room's log: a message, or somebody who left, was renamed, or moved. */
const said = written(['INSERT'], streamedKeys.logSortKeyPrefix);
/** A link that opened or whose client spoke: what it missed is repeated to it. */
const linked = written(['INSERT', 'MODIFY'], streamedKeys.linkSortKeyPrefix);

function written(eventNames: string[], sortKeyPrefix: string) {
  return FilterCriteria.filter({
    eventName: FilterRule.or(...eventNames),
    dynamodb: {
      Keys: {
        pk: { S: FilterRule.beginsWith(streamedKeys.roomPartitionPrefix) },
        sk: { S: FilterRule.beginsWith(sortKeyPrefix) },
      },
    },
  });
}

export class Notify extends Construct {
  readonly fn: HubFunction;
  readonly delayQueue: Queue;
  /** Rooms that failed to the end after having been delayed. */
  readonly deadLetters: Queue;
  /** Descriptions of stream batches that failed to the end; they say where to look, not what. */
  readonly failedBatches: Queue;

  constructor(scope: Construct, id: string, { config, table, connectionsEndpoint }: Props) {
    super(scope, id);
    this.deadLetters = lastStop(this, 'DeadLetters');
    this.failedBatches = lastStop(this, 'FailedBatches');
    const { deadLetters } = this;
    this.delayQueue = workQueue(this, 'DelayQueue', { timeout, deadLetters });
    this.fn = new HubFunction(this, 'Function', {
      config,
      description: 'Tells room links of mail',
      entry: 'notify.lambda.ts',
      environment: {
        TABLE_NAME: table.tableName,
        CONNECTIONS_ENDPOINT: connectionsEndpoint,
        DELAY_QUEUE_URL: this.delayQueue.queueUrl,
      } satisfies EnvVars<typeof NotifyEnv>,
      memoryMiB: 512,
      timeout,
    });
    this.addSources(table);
    acknowledgeQueueSource(this.fn);
  }

  private addSources(table: HubTable): void {
    this.fn.addEventSource(
      new DynamoEventSource(table, {
        // Also what is written while the source is being made; a frame too many does no harm.
        startingPosition: StartingPosition.TRIM_HORIZON,
        filters: [said, linked],
        batchSize: 100,
        // No window: a frame should come at once, and a burst fills batches by itself.
        maxBatchingWindow: Duration.seconds(0),
        // A shard holds many rooms, and a batch that waits for one must not hold up all the others.
        // More at once would post to a busy room more often instead of once for a burst. Order is
        // kept per item only, which is enough: a frame says how things stand, not what happened.
        parallelizationFactor: 4,
        reportBatchItemFailures: true,
        bisectBatchOnError: true,
        retryAttempts: 4,
        // Older news is stale: a client's own `state` frame every five minutes asks again.
        maxRecordAge: Duration.minutes(10),
        onFailure: new SqsDlq(this.failedBatches),
      }),
    );
    this.fn.addEventSource(
      new SqsEventSource(this.delayQueue, {
        // Taken one after the other, each for some seconds: five are done within the timeout.
        batchSize: 5,
        reportBatchItemFailures: true,
      }),
    );
  }
}
