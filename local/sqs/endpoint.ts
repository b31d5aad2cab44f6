// The SQS API that functions call, as far as they need it (AWS JSON 1.0).
import { createHash } from 'node:crypto';
import * as z from 'zod';
import type { Json, JsonObject } from '../dynamodb/json.ts';
import type { Answer } from '../dynamodb/wire.ts';
import { startWireServer, type WireServer } from '../dynamodb/wire-server.ts';
import type { MessageStore, NewMessage } from './message-store.ts';
import type { Queue } from './queues.ts';

/** Says whether the caller may do this with this queue. */
export type Authorize = (principal: string, action: string, resource: string) => boolean;

export type SqsOptions = {
  queues: readonly Queue[];
  store: MessageStore;
  authorize: Authorize;
};

const messageLimitBytes = 1024 * 1024;

const MessageInput = z.object({
  MessageBody: z.string().min(1),
  DelaySeconds: z.number().int().min(0).max(900).optional(),
  MessageAttributes: z.record(z.string(), z.unknown()).optional(),
});
const BatchInput = z.object({ Entries: z.array(MessageInput.extend({ Id: z.string() })) });
const DeleteInput = z.object({ ReceiptHandle: z.string() });
const QueueInput = z.object({ QueueUrl: z.string() });

/** An error with the code that the SDK makes an exception of. */
class SqsError extends Error {
  readonly code: string;
  constructor(code: string, message: string) {
    super(message);
    this.code = code;
  }
}

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

function toNewMessage(input: z.output<typeof MessageInput>): NewMessage {
  if (Buffer.byteLength(input.MessageBody) > messageLimitBytes) {
    throw new SqsError('InvalidParameterValue', `A message is at most ${messageLimitBytes} bytes`);
  }
  const { DelaySeconds } = input;
  return {
    body: input.MessageBody,
    delayMs: DelaySeconds === undefined ? undefined : DelaySeconds * 1_000,
    attributes: input.MessageAttributes,
  };
}

function send(store: MessageStore, queue: Queue, input: z.output<typeof MessageInput>): JsonObject {
  const id = store.send(queue, toNewMessage(input));
  return { MessageId: id, MD5OfMessageBody: md5(input.MessageBody) };
}

function sendBatch(store: MessageStore, queue: Queue, body: JsonObject): JsonObject {
  const { Entries } = BatchInput.parse(body);
  const ids = new Set(Entries.map(({ Id }) => Id));
  if (Entries.length === 0) throw new SqsError('EmptyBatchRequest', 'There is no entry');
  if (Entries.length > 10) throw new SqsError('TooManyEntriesInBatchRequest', 'At most 10 entries');
  if (ids.size < Entries.length) throw new SqsError('BatchEntryIdsNotDistinct', 'IDs repeat');
  return {
    Successful: Entries.map((entry): Json => ({ Id: entry.Id, ...send(store, queue, entry) })),
    Failed: [],
  };
}

function attributes(store: MessageStore, queue: Queue): JsonObject {
  const { visible, inFlight, delayed } = store.depth(queue);
  return {
    Attributes: {
      ApproximateNumberOfMessages: String(visible),
      ApproximateNumberOfMessagesNotVisible: String(inFlight),
      ApproximateNumberOfMessagesDelayed: String(delayed),
      QueueArn: queue.arn,
      VisibilityTimeout: String(queue.visibilityMs / 1_000),
    },
  };
}

type Operation = {
  /** The IAM action, where it is not the operation's own name. */
  action?: string;
  run: (store: MessageStore, queue: Queue, body: JsonObject) => JsonObject;
};

const operations: Readonly<Record<string, Operation>> = {
  SendMessage: { run: (store, queue, body) => send(store, queue, MessageInput.parse(body)) },
  SendMessageBatch: { action: 'SendMessage', run: sendBatch },
  DeleteMessage: {
    run: (store, _queue, body) => {
      store.delete(DeleteInput.parse(body).ReceiptHandle);
      return {};
    },
  },
  GetQueueAttributes: { run: attributes },
};

function failure(error: unknown): Answer {
  if (error instanceof SqsError) return refusal(400, error.code, error.message);
  if (error instanceof z.ZodError) {
    return refusal(400, 'InvalidParameterValue', z.prettifyError(error));
  }
  throw error;
}

function refusal(status: number, code: string, message: string): Answer {
  return { status, body: { __type: `com.amazonaws.sqs#${code}`, message } };
}

/** Starts the endpoint on a free port of the loopback address. */
export function startSqs({ queues, store, authorize }: SqsOptions): Promise<WireServer> {
  return startWireServer(0, async ({ principal, operation: name, body }) => {
    try {
      const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
      if (!operation) throw new SqsError('UnsupportedOperation', `${name} is not known here`);
      const queueName = QueueInput.parse(body).QueueUrl.split('/').pop();
      const queue = queues.find((candidate) => candidate.name === queueName);
      if (!queue) throw new SqsError('QueueDoesNotExist', 'The specified queue does not exist.');
      const action = `sqs:${operation.action ?? name}`;
      if (!authorize(principal, action, queue.arn)) {
        return refusal(
          403,
          'AccessDenied',
          `${principal} is not authorized: ${action} on ${queue.arn}`,
        );
      }
      return { status: 200, body: operation.run(store, queue, body) };
    } catch (error) {
      return failure(error);
    }
  });
}
