// Scenarios of the send bucket. Time goes on while they are played: what is let through is compared
// with what the time that was measured could have refilled, never with a fixed number.
import assert from 'node:assert/strict';
import { refused } from '../refused.ts';
import { everyBinding, overHttp, type Scenario } from '../scenario.ts';
import { newId, observer, type World } from '../world.ts';

const bucketTokens = 60;
const refillMs = 3_000;
const crowd = 12;

/** A room with a speaker and `crowd` others; two conversations at a time, to save time. */
async function gather({ newRoom, join, alice }: World) {
  const room = await newRoom(alice);
  const speaker = await join(alice, room, { name: 'speaker' });
  for (let joined = 0; joined < crowd; joined += 2) {
    await Promise.all([join(alice, room), join(alice, room)]);
  }
  return { room, speaker };
}

export const bucketScenarios: readonly Scenario[] = [
  {
    title: 'a send costs one token per recipient; a repeat is free; an empty bucket says how long',
    cites: [
      'bucket.cost',
      'bucket.retry-free',
      'bucket.refused',
      'errors.retry-after',
      'send.repeat-first',
    ],
    bindings: overHttp,
    async play(world) {
      const { call, alice } = world;
      const { room, speaker } = await gather(world);
      const startedMs = performance.now();
      const message = (id = newId('m_')) => ({ id, to: '@room' as const, body: 'to everyone' });
      const last = message();
      for (let sent = 1; sent < bucketTokens / crowd; sent += 1) {
        await call('send', speaker, message());
      }
      await call('send', speaker, last);

      const refusedOne = message();
      const { data } = await refused('rate_limited', call('send', speaker, refusedOne));
      const refilled = (performance.now() - startedMs) / refillMs;
      const seconds = data?.retryAfterSeconds ?? 0;
      assert.ok(
        seconds <= crowd * 3 && seconds >= Math.ceil((crowd - refilled) * 3),
        `${seconds} s`,
      );
      assert.equal((await call('send', speaker, last)).id, last.id);
      await refused('rate_limited', call('send', speaker, message()));
      const { messages } = await call('history', observer(alice, room), {});
      assert.ok(messages.every(({ id }) => id !== refusedOne.id));
      const texts = messages.filter(({ kind }) => kind === 'text');
      assert.equal(texts.length, bucketTokens / crowd);
    },
  },
  {
    title: 'a send to nobody costs one token',
    cites: ['bucket.cost', 'bucket.refused'],
    bindings: everyBinding,
    async play({ newRoom, join, say, alice }) {
      const speaker = await join(alice, await newRoom(alice));
      const startedMs = performance.now();
      let sent = 0;
      let isRefused = false;
      while (!isRefused) {
        const attempt = say(speaker);
        isRefused = await attempt.then(
          () => false,
          () => true,
        );
        if (isRefused) await refused('rate_limited', attempt);
        else sent += 1;
        const refilled = Math.floor((performance.now() - startedMs) / refillMs) + 1;
        assert.ok(sent <= bucketTokens + refilled, `${sent} sends were let through`);
      }
      assert.ok(sent >= bucketTokens, `${sent} sends were let through`);
    },
  },
  {
    title:
      'rejoining from the same conversation keeps the bucket, another conversation has its own',
    cites: ['bucket.rejoin'],
    bindings: overHttp,
    async play(world) {
      const { call, say, join, alice } = world;
      const { room, speaker } = await gather(world);
      for (let count = 0; count < bucketTokens / crowd; count += 1)
        await say(speaker, { to: '@room' });
      await call('leave', speaker, {});
      const { conversation } = speaker;
      const again = await join(alice, room, { conversation });
      assert.equal(again.joined.outcome, 'joined');
      await refused('rate_limited', say(again, { to: '@room' }));
      await say(await join(alice, room), { to: '@room' });
    },
  },
];
