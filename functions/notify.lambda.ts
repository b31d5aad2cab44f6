// Deployed behind the table's stream and the delay queue: composition only.
import middy from '@middy/core';
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import type { BatchResponse } from './bindings/batch.ts';
import { notifyDelayed, notifyRecords } from './bindings/notify.ts';
import { deployedTable, writeLog } from './compose.ts';
import { managedConnections } from './connections.ts';
import { NotifyEnv, readEnv } from './env.ts';
import type { Notifying } from './operations/link/notify-batch.ts';
import { roomQueue } from './room-queue.ts';

const env = readEnv(NotifyEnv);
const hub: Notifying = {
  table: deployedTable(env.TABLE_NAME),
  connections: managedConnections(env.CONNECTIONS_ENDPOINT),
  delay: roomQueue(env.DELAY_QUEUE_URL),
  log: writeLog,
};

export const handler = middy<DynamoDBStreamEvent | SQSEvent, BatchResponse>().handler((event) =>
  isQueued(event) ? notifyDelayed(hub, event.Records) : notifyRecords(hub, event.Records),
);

function isQueued(event: DynamoDBStreamEvent | SQSEvent): event is SQSEvent {
  return event.Records.some((record) => 'messageId' in record);
}
