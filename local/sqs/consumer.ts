// Takes messages off a queue and gives them to a function, as Lambda's event source for SQS does.
import { createHash } from 'node:crypto';
import type { SQSRecord } from 'aws-lambda';
import { failedRecords } from '../lambda/batch-response.ts';
import type { Outcome } from '../lambda/outcome.ts';
import { region } from '../template/names.ts';
import type { Message, MessageStore } from './message-store.ts';
import type { Queue } from './queues.ts';

export type QueueConsumerOptions = {
  queue: Queue;
  store: MessageStore;
  batchSize: number;
  /** How many batches may be with the function at once. */
  maxConcurrency: number;
  reportsFailures: boolean;
  invoke: (event: string) => Promise<Outcome>;
};

/**
 * Looks again at least this often, for messages that become visible without anything being sent.
 */
const pollMs = 500;

function toRecord(message: Message, queue: Queue): SQSRecord {
  return {
    messageId: message.id,
    receiptHandle: message.receipt,
    body: message.body,
    attributes: {
      ApproximateReceiveCount: String(message.receiveCount),
      SentTimestamp: String(message.sentAtMs),
      SenderId: 'local',
      ApproximateFirstReceiveTimestamp: String(message.firstReceivedAtMs),
    },
    messageAttributes: {},
    md5OfBody: createHash('md5').update(message.body).digest('hex'),
    eventSource: 'aws:sqs',
    eventSourceARN: queue.arn,
    awsRegion: region,
  };
}

/**
 * Starts taking messages; the returned function stops it, leaving what is in flight in the queue.
 */
export function startQueueConsumer(options: QueueConsumerOptions): () => Promise<void> {
  const { queue, store, batchSize, maxConcurrency, reportsFailures, invoke } = options;
  let isStopped = false;

  async function deliver(batch: Message[]): Promise<void> {
    const Records = batch.map((message) => toRecord(message, queue));
    const outcome = await invoke(JSON.stringify({ Records }));
    if (isStopped) return;
    const ids = batch.map(({ id }) => id);
    const failed = failedRecords(outcome, ids, reportsFailures);
    // A failed message stays hidden until its visibility time is over.
    for (const { id, receipt } of batch) if (!failed.has(id)) store.delete(receipt);
  }

  async function work(): Promise<void> {
    while (!isStopped) {
      const batch = store.receive(queue, batchSize);
      await (batch.length > 0 ? deliver(batch) : store.changed(pollMs));
    }
  }

  const workers = Array.from({ length: maxConcurrency }, work);
  return async () => {
    isStopped = true;
    store.wake();
    await Promise.all(workers);
  };
}
