import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { dead, jobs, redrive, settings } from '../fixtures/queues.ts';
import { temporaryFolder } from '../fixtures/resources.ts';
import { MessageStore } from './message-store.ts';

function openStore(folder = temporaryFolder()) {
  const clock = { now: 1_000_000 };
  const store = new MessageStore(folder, [jobs, dead], () => clock.now);
  onTestFinished(() => store.close());
  const bodies = (queue = jobs) => store.receive(queue, 10).map(({ body }) => body);
  return { store, clock, folder, bodies };
}

describe('a message', () => {
  test('is hidden while somebody has it, comes back, and goes for good when it is deleted', () => {
    const { store, clock, bodies } = openStore();
    store.send(jobs, { body: 'a' });
    const [first] = store.receive(jobs, 10);
    expect(first).toMatchObject({ body: 'a', receiveCount: 1 });
    expect(bodies()).toEqual([]);
    clock.now += settings.visibilityMs;
    const [second] = store.receive(jobs, 10);
    expect(second).toMatchObject({ receiveCount: 2, firstReceivedAtMs: first?.firstReceivedAtMs });
    store.delete(first?.receipt ?? '');
    expect(store.depth(jobs)).toEqual({ visible: 0, inFlight: 1, delayed: 0 });
    store.delete(second?.receipt ?? '');
    expect(store.depth(jobs)).toEqual({ visible: 0, inFlight: 0, delayed: 0 });
  });

  test('comes after its delay, oldest first', () => {
    const { store, clock, bodies } = openStore();
    store.send(jobs, { body: 'late', delayMs: 5_000 });
    store.send(jobs, { body: 'b' });
    store.send(jobs, { body: 'c' });
    expect(store.depth(jobs)).toEqual({ visible: 2, inFlight: 0, delayed: 1 });
    expect(store.receive(jobs, 1).map(({ body }) => body)).toEqual(['b']);
    expect(bodies()).toEqual(['c']);
    clock.now += 5_000;
    expect(bodies()).toEqual(['late']);
  });

  test('goes to the dead-letter queue when it was received too often', () => {
    const { store, clock, bodies } = openStore();
    store.send(jobs, { body: 'a' });
    for (let n = 0; n < redrive.maxReceiveCount; n++) {
      expect(bodies()).toEqual(['a']);
      clock.now += settings.visibilityMs;
    }
    expect(bodies()).toEqual([]);
    expect(store.receive(dead, 10)).toMatchObject([{ body: 'a', receiveCount: 1 }]);
  });

  test('is gone after the retention of its queue', () => {
    const { store, clock, bodies } = openStore();
    store.send(jobs, { body: 'a' });
    clock.now += settings.retentionMs + 1;
    expect(bodies()).toEqual([]);
    expect(store.depth(jobs).visible).toBe(0);
  });

  test('survives the end of the process, and is visible at once to the next', () => {
    const { store, folder } = openStore();
    store.send(jobs, { body: 'a' });
    store.receive(jobs, 1);
    // A second one on the same file, without closing the first: what a killed process leaves.
    const { bodies } = openStore(folder);
    expect(bodies()).toEqual(['a']);
  });
});

test('whoever waits is woken by a message', async () => {
  const { store } = openStore();
  const woken = store.changed(60_000);
  store.send(jobs, { body: 'a' });
  await woken;
});

test('a damaged file is said in one line', () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'queues.sqlite'), 'nonsense'.repeat(500));
  expect(() => new MessageStore(folder, [jobs], Date.now)).toThrow(/^The state in .* is damaged/);
});
