// Records of the stream and of the purge queue in; which of the two a batch is, its records tell.
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { RoomId } from '../../protocol/ids.ts';
import { type Purging, purgeFurther, queueIfDeleted } from '../operations/purge.ts';
import { type BatchResponse, eachRecord } from './batch.ts';

type Record = DynamoDBRecord | SQSRecord;

const Job = z.object({ room: RoomId });

/** Handles a batch; names the records that failed, so that only they come again. */
export function purgeBatch(
  purging: Purging,
  records: readonly Record[],
  hasTime: () => boolean,
  onFault: (name: string) => void,
): Promise<BatchResponse> {
  return eachRecord(records, identify, (record) => handle(purging, record, hasTime), onFault);
}

async function handle(purging: Purging, record: Record, hasTime: () => boolean): Promise<void> {
  if (!isQueued(record)) return queueIfDeleted(purging, record.dynamodb?.Keys?.['pk']?.S ?? '');
  const { room } = Job.parse(JSON.parse(record.body));
  await purgeFurther(purging, room, hasTime);
}

function identify(record: Record): string {
  return (isQueued(record) ? record.messageId : record.dynamodb?.SequenceNumber) ?? '';
}

function isQueued(record: Record): record is SQSRecord {
  return 'messageId' in record;
}
