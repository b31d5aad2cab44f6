// Stream records of deleted rooms in, and the purge queue's messages: each purges one room further.
import type { DynamoDBRecord, SQSRecord } from 'aws-lambda';
import * as z from 'zod';
import { RoomId } from '../../protocol/ids.ts';
import { roomOfPartition } from '../store/keys.ts';
import { purgeRoom } from '../store/purge.ts';
import { getRoomMeta } from '../store/rooms.ts';
import type { Table } from '../store/table-port.ts';

/** Puts a room on the purge queue, for at least `delayS` seconds from now. */
export type Enqueue = (room: string, delayS: number) => Promise<void>;

/** What the binding works with. */
export interface PurgePorts {
  readonly table: Table;
  readonly enqueue: Enqueue;
}

/** Items of a commit from just before the deletion become visible within this time. */
const settleS = 5;

const Job = z.object({ room: RoomId });

/** Queues a room whose META was written, if that was its deletion. */
export async function queueDeletedRoom(
  { table, enqueue }: PurgePorts,
  record: DynamoDBRecord,
): Promise<void> {
  const room = roomOfPartition(record.dynamodb?.Keys?.['pk']?.S ?? '');
  if (room === undefined) return;
  const meta = await getRoomMeta(table, room);
  if (meta?.deletedAt !== undefined) await enqueue(room, settleS);
}

/** Purges one room as far as time allows and hands the rest on to the queue. */
export async function purgeQueuedRoom(
  { table, enqueue }: PurgePorts,
  record: SQSRecord,
  hasTime: () => boolean,
): Promise<void> {
  const { room } = Job.parse(JSON.parse(record.body));
  if (!(await purgeRoom(table, room, hasTime))) await enqueue(room, 0);
}
