// A queue of rooms: one message names one room, to be handled later.
import { SendMessageCommand, SQSClient } from '@aws-sdk/client-sqs';

/** Puts a room on a queue, to be handled in `delayS` seconds at the earliest. */
export type PutRoom = (room: string, delayS: number) => Promise<void>;

export function roomQueue(url: string): PutRoom {
  const client = new SQSClient({});
  return async (room, delayS) => {
    const MessageBody = JSON.stringify({ room });
    await client.send(new SendMessageCommand({ QueueUrl: url, MessageBody, DelaySeconds: delayS }));
  };
}
