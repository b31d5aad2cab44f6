// What an operator is told about. Each alarm's name is a heading of docs/runbook.md.
import { Duration, Stack, Tags, Validations } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import {
  Alarm,
  ComparisonOperator,
  type IMetric,
  MathExpression,
  TreatMissingData,
} from 'aws-cdk-lib/aws-cloudwatch';
import { SnsAction } from 'aws-cdk-lib/aws-cloudwatch-actions';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import { Topic } from 'aws-cdk-lib/aws-sns';
import { EmailSubscription } from 'aws-cdk-lib/aws-sns-subscriptions';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import { Construct } from 'constructs';
import type { HubConfig } from '../config.ts';
import type { HubFunction } from './hub-function.ts';
import type { HubTable } from './hub-table.ts';
import type { Purge } from './purge.ts';

type Watched = Readonly<{ api: HttpApi; http: HubFunction; table: HubTable; purge: Purge }>;
type Props = Watched & Readonly<{ config: Pick<HubConfig, 'alarmEmail'> }>;

/** `high`: people or agents are failing now. `low`: work waits, or is about to fail. */
type Severity = 'high' | 'low';

type Watch = Readonly<{
  severity: Severity;
  metric: IMetric;
  /** Alarms at this value or above … */
  threshold: number;
  /** … in so many five-minute periods on end. */
  periods: number;
}>;

const period = Duration.minutes(5);
const sum = { statistic: 'Sum', period };
const maximum = { statistic: 'Maximum', period };

export class Alarms extends Construct {
  constructor(scope: Construct, id: string, { config, ...watched }: Props) {
    super(scope, id);
    const action = config.alarmEmail === undefined ? undefined : this.mailTo(config.alarmEmail);
    for (const [name, watch] of Object.entries(watches(watched))) {
      const alarm = this.alarm(name, watch);
      if (action === undefined) continue;
      alarm.addAlarmAction(action);
      alarm.addOkAction(action);
    }
  }

  private alarm(name: string, { severity, metric, threshold, periods }: Watch): Alarm {
    const alarm = new Alarm(this, name, {
      alarmName: `${Stack.of(this).stackName}-${name}`,
      alarmDescription: `Severity ${severity}. What to do: docs/runbook.md, "${name}".`,
      metric,
      threshold,
      evaluationPeriods: periods,
      comparisonOperator: ComparisonOperator.GREATER_THAN_OR_EQUAL_TO_THRESHOLD,
      // No traffic means no figures, and nothing to be told about.
      treatMissingData: TreatMissingData.NOT_BREACHING,
    });
    Tags.of(alarm).add('severity', severity);
    return alarm;
  }

  private mailTo(address: string): SnsAction {
    const topic = new Topic(this, 'Topic', { enforceSSL: true });
    const subscription = topic.addSubscription(new EmailSubscription(address));
    Validations.of(subscription).acknowledge({
      id: 'Serverless::Serverless-SNSRedrivePolicy',
      reason: 'A mail that bounces is no message to keep; the alarm itself stays visible',
    });
    return new SnsAction(topic);
  }
}

function watches({ api, http, table, purge }: Watched): Record<string, Watch> {
  return {
    'http-5xx': {
      severity: 'high',
      metric: api.metricServerError(sum),
      threshold: 5,
      periods: 1,
    },
    'http-errors': {
      severity: 'high',
      metric: http.metricErrors(sum),
      threshold: 1,
      periods: 2,
    },
    'http-throttles': {
      severity: 'high',
      metric: http.metricThrottles(sum),
      threshold: 1,
      periods: 1,
    },
    'http-duration': {
      severity: 'low',
      metric: http.metricDuration(maximum),
      threshold: 0.8 * timeoutMs(http),
      periods: 2,
    },
    'table-throttles': {
      severity: 'low',
      metric: new MathExpression({
        expression: 'reads + writes',
        label: 'Throttled reads and writes',
        period,
        usingMetrics: {
          reads: table.metric('ReadThrottleEvents', sum),
          writes: table.metric('WriteThrottleEvents', sum),
        },
      }),
      threshold: 10,
      periods: 2,
    },
    'table-system-errors': {
      severity: 'high',
      metric: table.metricSystemErrorsForOperations({ ...sum, operations: usedOperations }),
      threshold: 1,
      periods: 2,
    },
    'purge-iterator-age': {
      severity: 'low',
      metric: purge.fn.metric('IteratorAge', maximum),
      threshold: Duration.minutes(10).toMilliseconds(),
      periods: 2,
    },
    'purge-dead-letters': {
      severity: 'low',
      metric: messages(purge.deadLetters),
      threshold: 1,
      periods: 1,
    },
    'purge-failed-batches': {
      severity: 'low',
      metric: messages(purge.failedBatches),
      threshold: 1,
      periods: 1,
    },
  };
}

const usedOperations = [
  Operation.GET_ITEM,
  Operation.BATCH_GET_ITEM,
  Operation.QUERY,
  Operation.PUT_ITEM,
  Operation.UPDATE_ITEM,
  Operation.DELETE_ITEM,
  Operation.TRANSACT_GET_ITEMS,
  Operation.TRANSACT_WRITE_ITEMS,
];

function timeoutMs(fn: HubFunction): number {
  return fn.timeout?.toMilliseconds() ?? 0;
}

function messages(queue: IQueue): IMetric {
  return queue.metricApproximateNumberOfMessagesVisible(maximum);
}
