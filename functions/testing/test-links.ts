// Room links in this process: events go in as API Gateway sends them, frames come out recorded, and
// notices travel through the table's real stream.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import type { DynamoDBRecord } from 'aws-lambda';
import type { StreamRecord } from '../../local/dynamodb/index.ts';
import type { HubFrame } from '../../protocol/frames.ts';
import { encodeHeaders } from '../../protocol/wire.ts';
import { answerLink, type LinkEvent } from '../bindings/link.ts';
import { notifyDelayed, notifyRecords } from '../bindings/notify.ts';
import type { Connections } from '../operations/link/connections.ts';
import type { Notifying } from '../operations/link/notify-batch.ts';
import { streamedKeys } from '../store/table.ts';
import type { Caller, TestHub } from './test-hub.ts';

/** One frame as it left the Hub. */
export interface Posted {
  readonly connection: string;
  readonly frame: HubFrame;
}

export interface TestLinks {
  readonly posted: Posted[];
  readonly closed: string[];
  /** Rooms that were put aside. */
  readonly delayed: string[];
  /** Connections that answer "gone"; `failing` ones refuse every post. */
  readonly gone: Set<string>;
  readonly failing: Set<string>;
  /** Opens a link; gives the connection and the status of the upgrade. */
  open(
    caller: Caller,
    options?: {
      readonly headers?: Readonly<Record<string, string>>;
      readonly connectedAt?: number;
    },
  ): Promise<{ readonly connection: string; readonly status: number }>;
  state(connection: string, frame: unknown, receivedAt?: number): Promise<void>;
  close(connection: string, code?: number): Promise<void>;
  /**
   * Hands everything the stream holds to the notifier; gives the records that have to come again.
   */
  pump(): Promise<readonly string[]>;
  /** Hands a room to the notifier as the delay queue does; gives whether it has to come again. */
  pumpDelayed(room: string): Promise<boolean>;
  /** Lets the next `pump` begin at the start of the stream, as a repeated delivery would. */
  rewind(): void;
  /** Frames of one connection, and forgets them. */
  take(connection: string): HubFrame[];
}

const tableName = 'hub';

export function createTestLinks({ hub, db }: TestHub): TestLinks {
  const posted: Posted[] = [];
  const closed: string[] = [];
  const delayed: string[] = [];
  const gone = new Set<string>();
  const failing = new Set<string>();
  const connections: Connections = {
    async post(connection, frame) {
      if (failing.has(connection)) throw new Error('the buffer is full');
      if (gone.has(connection)) return 'gone';
      posted.push({ connection, frame });
      return 'sent';
    },
    async close(connection) {
      closed.push(connection);
    },
  };
  const linkHub = { ...hub, connections };
  const notifying: Notifying = {
    table: hub.table,
    connections,
    delay: async (room) => {
      delayed.push(room);
    },
    log: () => {},
  };
  let opened = 0;
  let position: string | undefined;
  let pumped = 0;
  const event = (
    connection: string,
    eventType: LinkEvent['requestContext']['eventType'],
    fields: { readonly [name: string]: unknown } = {},
  ): LinkEvent =>
    // The fields API Gateway also sends and the binding does not read are left out.
    JSON.parse(
      JSON.stringify({
        ...fields,
        requestContext: {
          connectionId: connection,
          eventType,
          connectedAt: hub.table.nowMs(),
          requestTimeEpoch: hub.table.nowMs(),
          ...Object(fields['requestContext']),
        },
      }),
    );
  return {
    posted,
    closed,
    delayed,
    gone,
    failing,
    async open(caller, options = {}) {
      opened += 1;
      const connection = `connection-${opened}=`;
      const { account, room, host, conversation } = caller;
      const headers = options.headers ?? {
        ...encodeHeaders({
          token: account,
          room,
          caller: host && conversation ? { host, conversation } : undefined,
        }),
      };
      const connectedAt = options.connectedAt ?? hub.table.nowMs();
      // Nothing can be posted to a connection before its `$connect` has returned.
      gone.add(connection);
      const { statusCode = 0 } = await answerLink(
        linkHub,
        event(connection, 'CONNECT', { headers, requestContext: { connectedAt } }),
      );
      gone.delete(connection);
      return { connection, status: statusCode };
    },
    async state(connection, frame, receivedAt = hub.table.nowMs()) {
      const body = typeof frame === 'string' ? frame : JSON.stringify(frame);
      await answerLink(
        linkHub,
        event(connection, 'MESSAGE', { body, requestContext: { requestTimeEpoch: receivedAt } }),
      );
    },
    async close(connection, code = 1001) {
      await answerLink(
        linkHub,
        event(connection, 'DISCONNECT', { requestContext: { disconnectStatusCode: code } }),
      );
    },
    async pump() {
      pumped += 1;
      const mark = { pk: `PUMP#${pumped}`, sk: 'PUMP' };
      await hub.table.client.send(new PutCommand({ TableName: tableName, Item: mark }));
      const failed: string[] = [];
      const end = new AbortController();
      const from = position ?? 'TRIM_HORIZON';
      for await (const batch of db.readStream(tableName, { from, signal: end.signal, pollMs: 5 })) {
        position = batch.at(-1)?.dynamodb.SequenceNumber;
        const records = batch.map(toRecord);
        const outcome = await notifyRecords(notifying, records.filter(isStreamed));
        failed.push(...outcome.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier));
        if (records.some(({ dynamodb }) => dynamodb?.Keys?.['pk']?.S === mark.pk)) end.abort();
      }
      return failed;
    },
    async pumpDelayed(room) {
      const record = { messageId: 'delayed', body: JSON.stringify({ room }) };
      const { batchItemFailures } = await notifyDelayed(notifying, [record]);
      return batchItemFailures.length > 0;
    },
    rewind() {
      position = undefined;
    },
    take(connection) {
      const own = posted.filter((post) => post.connection === connection);
      for (const post of own) posted.splice(posted.indexOf(post), 1);
      return own.map(({ frame }) => frame);
    },
  };
}

function toRecord(record: StreamRecord): DynamoDBRecord {
  return JSON.parse(JSON.stringify(record));
}

/** What the deployed mapping lets through: new log entries, and links however they were written. */
function isStreamed({ eventName, dynamodb }: DynamoDBRecord): boolean {
  const sk = dynamodb?.Keys?.['sk']?.S ?? '';
  const pk = dynamodb?.Keys?.['pk']?.S ?? '';
  if (!pk.startsWith(streamedKeys.roomPartitionPrefix)) return false;
  if (sk.startsWith(streamedKeys.logSortKeyPrefix)) return eventName === 'INSERT';
  return sk.startsWith(streamedKeys.linkSortKeyPrefix) && eventName !== 'REMOVE';
}
