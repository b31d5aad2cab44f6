// The figures that alarms watch, and from which value on.
import { Duration } from 'aws-cdk-lib';
import type { HttpApi } from 'aws-cdk-lib/aws-apigatewayv2';
import { type IMetric, MathExpression } from 'aws-cdk-lib/aws-cloudwatch';
import { Operation } from 'aws-cdk-lib/aws-dynamodb';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { HubFunction } from './hub-function.ts';
import type { HubTable } from './hub-table.ts';
import type { LinkApi } from './link-api.ts';
import type { Notify } from './notify.ts';
import type { Purge } from './purge.ts';

/** What there is to watch. */
export type Watched = Readonly<{
  api: HttpApi;
  http: HubFunction;
  auth: HubFunction;
  mcp: HubFunction;
  links: LinkApi;
  link: HubFunction;
  notify: Notify;
  table: HubTable;
  purge: Purge;
}>;

/** `high`: people or agents are failing now. `low`: work waits, or is about to fail. */
type Severity = 'high' | 'low';

export type Watch = Readonly<{
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

/** Every alarm by its name. */
export function watches(watched: Watched): Record<string, Watch> {
  return {
    'http-5xx': serverErrors(watched.api),
    ...callWatches('http', watched.http),
    ...callWatches('auth', watched.auth),
    ...callWatches('mcp', watched.mcp),
    ...linkWatches(watched),
    ...notifyWatches(watched),
    ...tableWatches(watched),
    ...purgeWatches(watched),
  };
}

function serverErrors(api: HttpApi): Watch {
  return { severity: 'high', metric: api.metricServerError(sum), threshold: 5, periods: 1 };
}

/** Of a function that somebody waits for. */
function callWatches(name: string, fn: HubFunction): Record<string, Watch> {
  return {
    [`${name}-errors`]: errors(fn),
    [`${name}-throttles`]: {
      severity: 'high',
      metric: fn.metricThrottles(sum),
      threshold: 1,
      periods: 1,
    },
    [`${name}-duration`]: {
      severity: 'low',
      metric: fn.metricDuration(maximum),
      threshold: 0.8 * timeoutMs(fn),
      periods: 2,
    },
  };
}

function linkWatches({ links, link }: Watched): Record<string, Watch> {
  return {
    'link-errors': errors(link),
    // Not `IntegrationError`: that also counts upgrades which the function refuses.
    'link-gateway-errors': {
      severity: 'high',
      metric: links.stage.metric('ExecutionError', sum),
      threshold: 5,
      periods: 1,
    },
  };
}

function notifyWatches({ notify }: Watched): Record<string, Watch> {
  return {
    'notify-errors': errors(notify.fn),
    'notify-iterator-age': {
      severity: 'high',
      metric: notify.fn.metric('IteratorAge', maximum),
      threshold: Duration.minutes(1).toMilliseconds(),
      periods: 2,
    },
    'notify-failed-batches': firstMessage(notify.failedBatches),
    'notify-delay-age': {
      severity: 'low',
      metric: notify.delayQueue.metricApproximateAgeOfOldestMessage(maximum),
      threshold: Duration.minutes(5).toSeconds(),
      periods: 2,
    },
    'notify-dead-letters': firstMessage(notify.deadLetters),
  };
}

function tableWatches({ table }: Watched): Record<string, Watch> {
  return {
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
  };
}

function purgeWatches({ purge }: Watched): Record<string, Watch> {
  return {
    'purge-iterator-age': {
      severity: 'low',
      metric: purge.fn.metric('IteratorAge', maximum),
      threshold: Duration.minutes(10).toMilliseconds(),
      periods: 2,
    },
    'purge-dead-letters': firstMessage(purge.deadLetters),
    'purge-failed-batches': firstMessage(purge.failedBatches),
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

/** Crashes, time-outs and failed starts; what a function answers itself is no error. */
function errors(fn: HubFunction): Watch {
  return { severity: 'high', metric: fn.metricErrors(sum), threshold: 1, periods: 2 };
}

function firstMessage(queue: IQueue): Watch {
  const metric = queue.metricApproximateNumberOfMessagesVisible(maximum);
  return { severity: 'low', metric, threshold: 1, periods: 1 };
}

function timeoutMs(fn: HubFunction): number {
  return fn.timeout?.toMilliseconds() ?? 0;
}
