// Deployed behind the table's stream and the purge queue: composition only.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';
import middy from '@middy/core';
import type { DynamoDBRecord, DynamoDBStreamEvent, SQSEvent, SQSRecord } from 'aws-lambda';
import { type BatchResponse, eachRecord } from './bindings/batch.ts';
import { type PurgePorts, purgeQueuedRoom, queueDeletedRoom } from './bindings/purge.ts';
import { deployedTable, writeLog } from './compose.ts';
import { PurgeEnv, readEnv } from './env.ts';

/** Time kept for handing the rest on. */
const reserveMs = 5_000;

const env = readEnv(PurgeEnv);
const queue = new SQSClient({});
const ports: PurgePorts = {
  table: deployedTable(env.TABLE_NAME),
  enqueue: async (room, delayS) => {
    await queue.send(
      new SendMessageCommand({
        QueueUrl: env.PURGE_QUEUE_URL,
        MessageBody: JSON.stringify({ room }),
        DelaySeconds: delayS,
      }),
    );
  },
};

type Batch = DynamoDBStreamEvent | SQSEvent;

export const handler = middy<Batch, BatchResponse>().handler((event, context) => {
  const hasTime = () => context.getRemainingTimeInMillis() > reserveMs;
  return eachRecord<DynamoDBRecord | SQSRecord>(
    event.Records,
    (record) => (isQueued(record) ? record.messageId : (record.dynamodb?.SequenceNumber ?? '')),
    (record) =>
      isQueued(record) ? purgeQueuedRoom(ports, record, hasTime) : queueDeletedRoom(ports, record),
    (fault) => writeLog({ level: 'error', operation: 'purge', outcome: 'unavailable', fault }),
  );
});

function isQueued(record: DynamoDBRecord | SQSRecord): record is SQSRecord {
  return 'messageId' in record;
}
