import {
  DeleteMessageCommand,
  GetQueueAttributesCommand,
  SendMessageBatchCommand,
  SendMessageCommand,
  SQSClient,
} from '@aws-sdk/client-sqs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { stackOf, temporaryFolder } from '../fixtures/resources.ts';
import { Resolver } from '../template/resolve.ts';
import { startSqs } from './endpoint.ts';
import { MessageStore } from './message-store.ts';
import { readQueues } from './queues.ts';

async function open() {
  const { template } = stackOf({
    Jobs: { Type: 'AWS::SQS::Queue', Properties: { DelaySeconds: 0 } },
  });
  const queues = readQueues(new Resolver(template).resources());
  const [queue] = queues;
  if (!queue) throw new Error('no queue');
  const store = new MessageStore(temporaryFolder(), queues, Date.now);
  const server = await startSqs({
    queues,
    store,
    authorize: (principal, action) => principal === 'Sender' && action !== 'sqs:DeleteMessage',
  });
  onTestFinished(async () => {
    await server.close();
    store.close();
  });
  const QueueUrl = `${server.endpoint}/000000000000/Jobs`;
  const clientOf = (accessKeyId: string) =>
    new SQSClient({
      endpoint: server.endpoint,
      region: 'eu-central-1',
      credentials: { accessKeyId, secretAccessKey: 'any' },
      maxAttempts: 1,
    });
  return { queue, store, QueueUrl, client: clientOf('Sender'), clientOf };
}

describe('the SDK', () => {
  test('sends messages, delayed ones too, and reads how many there are', async () => {
    const { queue, store, QueueUrl, client } = await open();
    const { MessageId } = await client.send(
      new SendMessageCommand({ QueueUrl, MessageBody: 'grüße' }),
    );
    await client.send(
      new SendMessageCommand({ QueueUrl, MessageBody: 'later', DelaySeconds: 900 }),
    );
    const AttributeNames = ['All'] as const;
    const { Attributes } = await client.send(
      new GetQueueAttributesCommand({ QueueUrl, AttributeNames: [...AttributeNames] }),
    );
    expect(Attributes).toMatchObject({
      ApproximateNumberOfMessages: '1',
      ApproximateNumberOfMessagesDelayed: '1',
      QueueArn: queue.arn,
    });
    expect(store.receive(queue, 10)).toMatchObject([{ id: MessageId, body: 'grüße' }]);
  });

  test('sends a batch', async () => {
    const { queue, store, QueueUrl, client } = await open();
    const Entries = ['a', 'b'].map((Id) => ({ Id, MessageBody: `body ${Id}` }));
    const { Successful } = await client.send(new SendMessageBatchCommand({ QueueUrl, Entries }));
    expect(Successful?.map(({ Id }) => Id)).toEqual(['a', 'b']);
    expect(store.receive(queue, 10).map(({ body }) => body)).toEqual(['body a', 'body b']);
  });

  test('is refused what is wrong, by the error SQS has for it', async () => {
    const { QueueUrl, client } = await open();
    const entry = (Id: string) => ({ Id, MessageBody: 'x' });
    const batch = (ids: string[]) =>
      client.send(new SendMessageBatchCommand({ QueueUrl, Entries: ids.map(entry) }));
    await expect(batch([])).rejects.toHaveProperty('name', 'EmptyBatchRequest');
    await expect(batch(['a', 'a'])).rejects.toHaveProperty('name', 'BatchEntryIdsNotDistinct');
    await expect(batch([...'abcdefghijk'])).rejects.toHaveProperty(
      'name',
      'TooManyEntriesInBatchRequest',
    );
    const send = (MessageBody: string, DelaySeconds = 0) =>
      client.send(new SendMessageCommand({ QueueUrl, MessageBody, DelaySeconds }));
    const invalid = { name: 'InvalidParameterValue' };
    await expect(send('x', 901)).rejects.toMatchObject(invalid);
    await expect(send('x'.repeat(1024 * 1024 + 1))).rejects.toMatchObject(invalid);
    const unknown = new SendMessageCommand({ QueueUrl: `${QueueUrl}2`, MessageBody: 'x' });
    await expect(client.send(unknown)).rejects.toHaveProperty('name', 'QueueDoesNotExist');
  });

  test('is refused what the policies of the caller do not allow', async () => {
    const { QueueUrl, client, clientOf } = await open();
    const message = new SendMessageCommand({ QueueUrl, MessageBody: 'x' });
    await expect(clientOf('Other').send(message)).rejects.toHaveProperty('name', 'AccessDenied');
    const removal = new DeleteMessageCommand({ QueueUrl, ReceiptHandle: 'x' });
    await expect(client.send(removal)).rejects.toHaveProperty('name', 'AccessDenied');
  });
});
