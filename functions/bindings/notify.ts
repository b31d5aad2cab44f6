// Stream records of log entries and links in, and rooms that were put aside.
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { RoomId } from '../../protocol/ids.ts';
import {
  type Change,
  type Notifying,
  notifyBatch,
  notifyInTime,
} from '../operations/link/notify-batch.ts';
import { type BatchResponse, eachRecord } from './batch.ts';

const Job = z.object({ room: RoomId });

/** Tells what a stream batch brought; names the records of rooms that failed. */
export async function notifyRecords(
  hub: Notifying,
  records: readonly DynamoDBRecord[],
): Promise<BatchResponse> {
  const changes = records.flatMap(({ dynamodb }): Change[] => {
    const { pk, sk } = dynamodb?.Keys ?? {};
    const id = dynamodb?.SequenceNumber;
    return id === undefined ? [] : [{ id, pk: pk?.S ?? '', sk: sk?.S ?? '' }];
  });
  const failed = await notifyBatch(hub, changes);
  return { batchItemFailures: failed.map((itemIdentifier) => ({ itemIdentifier })) };
}

/** Tells rooms that were put aside all they have waiting. */
export function notifyDelayed(
  hub: Notifying,
  records: readonly Pick<SQSRecord, 'messageId' | 'body'>[],
): Promise<BatchResponse> {
  return eachRecord(
    records,
    ({ messageId }) => messageId,
    async ({ body }) => {
      const { room } = Job.parse(JSON.parse(body));
      // One that is still not done comes again by the queue, which counts its tries and has an end.
      await notifyInTime(hub, { room, seqs: [], links: 'all' });
    },
    (fault) => hub.log({ level: 'error', operation: 'notify', outcome: 'unavailable', fault }),
  );
}
