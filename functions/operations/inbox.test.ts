// A pull inbox hands a batch over once, whatever becomes of the answers of storage.
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../testing/test-hub.ts';
import { createTestRoom } from '../testing/test-room.ts';

let hub: TestHub;
/** Runs once, at the next wait for another try. */
let meanwhile = () => {};

/** What the client of the table tries by itself. */
const clientTries = 3;

beforeAll(async () => {
  const sleep = async () => {
    const once = meanwhile;
    meanwhile = () => {};
    once();
  };
  hub = await startTestHub({ table: { sleep } });
});
afterAll(() => hub.close());

it('gives the batch to whom it moved the position for, though that was told at the third try', async () => {
  const room = await createTestRoom(hub, 'lost_answers');
  const anna = await room.member('lost_a', 'anna');
  const bert = await room.member('lost_b', 'bert', 'web');
  const { id } = await hub.call('send', anna, {
    id: hub.newId('m_'),
    to: [bert.address],
    body: 'hello',
  });
  const consuming = { operation: 'TransactWriteItems', sortPrefix: 'CURSOR' };
  // The position moves, but nobody hears of it; and the first who asks again is throttled.
  hub.db.faults.add({ fault: 'answer-cut', ...consuming, next: clientTries });
  meanwhile = () => {
    hub.db.faults.add({ fault: 'transaction-throttled', ...consuming, next: 1 });
  };
  const { messages } = await hub.call('inbox', bert, {});
  expect(messages.map((message) => message.id)).toEqual([id]);
});
