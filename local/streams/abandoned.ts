// What an on-failure queue learns about stream records that were given up: where, not what.
import { randomUUID } from 'node:crypto';
import type { Abandoned } from './delivery.ts';
import { createdAtMsOf, sequenceNumberOf } from './record.ts';

/** The message's body, of Lambda's shape. */
export function describeAbandoned(abandoned: Abandoned, functionArn: string): string {
  const { condition, records, invokeCount } = abandoned;
  const [first, last] = [records[0], records.at(-1)];
  const arrival = (record = first) => new Date(record ? createdAtMsOf(record) : 0).toISOString();
  return JSON.stringify({
    requestContext: {
      requestId: randomUUID(),
      functionArn: `${functionArn}:$LATEST`,
      condition,
      approximateInvokeCount: invokeCount,
    },
    responseContext: { statusCode: 200, executedVersion: '$LATEST', functionError: 'Unhandled' },
    version: '1.0',
    timestamp: new Date().toISOString(),
    DDBStreamBatchInfo: {
      shardId: 'shardId-00000000000000000000-00000000',
      startSequenceNumber: first && sequenceNumberOf(first),
      endSequenceNumber: last && sequenceNumberOf(last),
      approximateArrivalOfFirstRecord: arrival(first),
      approximateArrivalOfLastRecord: arrival(last),
      batchSize: records.length,
      streamArn: first?.eventSourceARN,
    },
  });
}
