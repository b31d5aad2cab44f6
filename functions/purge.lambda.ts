// Deployed behind the table's stream and the purge queue: composition only.
import middy from '@middy/core';
import type { DynamoDBStreamEvent, SQSEvent } from 'aws-lambda';
import type { BatchResponse } from './bindings/batch.ts';
import { purgeBatch } from './bindings/purge.ts';
import { deployedTable, writeLog } from './compose.ts';
import { managedConnections } from './connections.ts';
import { PurgeEnv, readEnv } from './env.ts';
import type { Purging } from './operations/purge.ts';
import { roomQueue } from './room-queue.ts';

/** Time kept for handing the rest on. */
const reserveMs = 5_000;

const env = readEnv(PurgeEnv);
const purging: Purging = {
  table: deployedTable(env.TABLE_NAME),
  connections: managedConnections(env.CONNECTIONS_ENDPOINT),
  enqueue: roomQueue(env.PURGE_QUEUE_URL),
};

export const handler = middy<DynamoDBStreamEvent | SQSEvent, BatchResponse>().handler(
  (event, context) =>
    purgeBatch(
      purging,
      event.Records,
      () => context.getRemainingTimeInMillis() > reserveMs,
      (fault) => writeLog({ level: 'error', operation: 'purge', outcome: 'unavailable', fault }),
    ),
);
