import type { SQSEvent } from 'aws-lambda';
import { expect, onTestFinished, test } from 'vitest';
import { dead, jobs, redrive, settings } from '../fixtures/queues.ts';
import { temporaryFolder } from '../fixtures/resources.ts';
import { failed, type Outcome } from '../lambda/outcome.ts';
import { type QueueConsumerOptions, startQueueConsumer } from './consumer.ts';
import { MessageStore } from './message-store.ts';

const nothing: Outcome = { ok: true, payload: 'null' };

/** Consumes with a function that answers each batch; keeps the batches it was given. */
function consume(
  answer: (event: SQSEvent) => Outcome | Promise<Outcome>,
  options: Partial<QueueConsumerOptions> = {},
) {
  const clock = { now: 1_000_000 };
  const store = new MessageStore(temporaryFolder(), [jobs, dead], () => clock.now);
  const batches: string[][] = [];
  const start = () => {
    const stop = startQueueConsumer({
      queue: jobs,
      store,
      batchSize: 10,
      maxConcurrency: 1,
      reportsFailures: false,
      invoke: async (json) => {
        const event: SQSEvent = JSON.parse(json);
        batches.push(event.Records.map(({ body }) => body));
        return answer(event);
      },
      ...options,
    });
    onTestFinished(stop);
    return stop;
  };
  onTestFinished(() => store.close());
  const pass = (ms: number) => {
    clock.now += ms;
    store.wake();
  };
  return { store, batches, start, pass };
}

test('a batch that succeeds is gone', async () => {
  const { store, batches, start } = consume(() => nothing);
  for (const body of ['a', 'b', 'c']) store.send(jobs, { body });
  start();
  await expect.poll(() => store.depth(jobs)).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  expect(batches).toEqual([['a', 'b', 'c']]);
});

test('the event has the shape of SQS, batches have the size of the mapping', async () => {
  const events: SQSEvent[] = [];
  const { store, batches, start } = consume(
    (event) => {
      events.push(event);
      return nothing;
    },
    { batchSize: 2 },
  );
  for (const body of ['a', 'b', 'c']) store.send(jobs, { body });
  start();
  await expect.poll(() => batches).toEqual([['a', 'b'], ['c']]);
  expect(events[0]?.Records[0]).toMatchObject({
    messageId: expect.any(String),
    body: 'a',
    md5OfBody: '0cc175b9c0f1b6a831c399e269772661',
    eventSource: 'aws:sqs',
    eventSourceARN: jobs.arn,
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: '1000000' },
  });
});

test('a batch that fails comes back after its visibility time, then is a dead letter', async () => {
  const { store, batches, start, pass } = consume(() => failed('Error', 'no'));
  store.send(jobs, { body: 'a' });
  start();
  for (let n = 1; n <= redrive.maxReceiveCount; n++) {
    await expect.poll(() => batches.length).toBe(n);
    expect(store.depth(jobs)).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
    pass(settings.visibilityMs);
  }
  await expect.poll(() => store.depth(dead).visible).toBe(1);
  expect(batches).toHaveLength(redrive.maxReceiveCount);
});

test('of a batch only the messages come back that the function names', async () => {
  const { store, batches, start, pass } = consume(
    ({ Records }) => {
      const bad = Records.filter(({ body }) => body === 'bad');
      const batchItemFailures = bad.map(({ messageId }) => ({ itemIdentifier: messageId }));
      return { ok: true, payload: JSON.stringify({ batchItemFailures }) };
    },
    { reportsFailures: true },
  );
  for (const body of ['a', 'bad', 'c']) store.send(jobs, { body });
  start();
  await expect.poll(() => store.depth(jobs)).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
  pass(settings.visibilityMs);
  await expect.poll(() => batches).toEqual([['a', 'bad', 'c'], ['bad']]);
});

test('at most as many batches run at once as the mapping allows', async () => {
  let running = 0;
  let most = 0;
  const { store, start } = consume(
    async () => {
      running += 1;
      most = Math.max(most, running);
      await new Promise((resolve) => setTimeout(resolve, 20));
      running -= 1;
      return nothing;
    },
    { batchSize: 1, maxConcurrency: 2 },
  );
  for (let n = 0; n < 6; n++) store.send(jobs, { body: String(n) });
  start();
  await expect.poll(() => store.depth(jobs).visible + store.depth(jobs).inFlight).toBe(0);
  expect(most).toBe(2);
});

test('what was in flight when it stops stays in the queue', async () => {
  const released = Promise.withResolvers<Outcome>();
  const { store, batches, start } = consume(() => released.promise);
  store.send(jobs, { body: 'a' });
  const stop = start();
  await expect.poll(() => batches.length).toBe(1);
  const stopped = stop();
  released.resolve(nothing);
  await stopped;
  expect(store.depth(jobs).inFlight).toBe(1);
});
