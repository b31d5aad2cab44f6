// Scenarios of receiving: inbox batches, reading positions, push and pull.
import assert from 'node:assert/strict';
import { refused } from '../refused.ts';
import { everyBinding, overHttp, type Scenario } from '../scenario.ts';
import { bodiesOf, meet } from '../world.ts';

const batchMessages = 20;
const kib = 1_024;

export const mailScenarios: readonly Scenario[] = [
  {
    title: 'a push member gets the same batch until it has read it',
    cites: ['inbox.push-peeks', 'inbox.order', 'inbox.upto', 'inbox.empty', 'read.moves'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say } = world;
      const { ann, ben, cat } = await meet(world);
      const nothing = { messages: [], upTo: 0, remaining: null };
      assert.deepEqual(await call('inbox', ben, {}), nothing);
      await say(ann, { to: [ben.address], body: 'one' });
      await say(ann, { to: [cat.address], body: 'not for ben' });
      await say(ben, { to: '@room', body: 'of ben' });
      const two = await say(cat, { to: [ben.address], body: 'two', dm: true });
      await say(cat, { body: 'on record' });

      const batch = await call('inbox', ben, {});
      assert.deepEqual(bodiesOf(batch.messages), ['one', 'two']);
      assert.deepEqual([batch.upTo, batch.remaining], [two.seq, null]);
      assert.deepEqual(await call('inbox', ben, {}), batch);
      const [one] = batch.messages;
      assert.deepEqual(await call('read', ben, { upTo: one?.seq ?? 0 }), { readSeq: one?.seq });
      assert.deepEqual(bodiesOf((await call('inbox', ben, {})).messages), ['two']);
      await call('read', ben, { upTo: batch.upTo });
      assert.deepEqual(await call('inbox', ben, {}), nothing);
    },
  },
  {
    title: 'a position moves forward only, and never past the last message',
    cites: ['read.moves', 'read.form'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say } = world;
      const { ann, ben } = await meet(world);
      const first = await say(ann, { to: [ben.address], body: 'first' });
      const second = await say(ann, { to: [ben.address], body: 'second' });
      const readTo = async (upTo: number) => (await call('read', ben, { upTo })).readSeq;
      assert.equal(await readTo(first.seq), first.seq);
      assert.equal(await readTo(first.seq - 1), first.seq);
      assert.equal(await readTo(0), first.seq);
      assert.deepEqual(bodiesOf((await call('inbox', ben, {})).messages), ['second']);
      for (const upTo of [-1, 0.5, 1e300]) {
        await refused('invalid_input', call('read', ben, { upTo }));
      }
      assert.equal(await readTo(Number.MAX_SAFE_INTEGER), second.seq);
      await say(ann, { to: [ben.address], body: 'third' });
      assert.deepEqual(bodiesOf((await call('inbox', ben, {})).messages), ['third']);
    },
  },
  {
    title: 'a batch has at most 20 messages, and says what remains',
    cites: ['limit.inbox', 'view.unread', 'inbox.upto'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say } = world;
      const { ann, ben, cat } = await meet(world);
      const to = [ben.address];
      const bodies = Array.from({ length: batchMessages }, (_, index) => `message ${index}`);
      for (const body of bodies) await say(ann, { to, body });
      await say(cat, { to, body: 'first of the rest' });
      await say(ann, { to, body: 'second of the rest' });
      const { seq } = await say(cat, { to, body: 'third of the rest' });
      const batch = await call('inbox', ben, {});
      assert.deepEqual(bodiesOf(batch.messages), bodies);
      assert.equal(batch.upTo, batch.messages.at(-1)?.seq);
      assert.deepEqual(batch.remaining, { unread: 3, upTo: seq, from: [cat.address, ann.address] });
      await call('read', ben, { upTo: batch.upTo });
      const rest = await call('inbox', ben, {});
      assert.deepEqual([rest.messages.length, rest.upTo, rest.remaining], [3, seq, null]);
    },
  },
  {
    title: 'a batch has at most 64 KiB of bodies, but always one message',
    cites: ['limit.inbox'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say } = world;
      const { ann, ben } = await meet(world);
      const to = [ben.address];
      for (const size of [40 * kib, 24 * kib, 1, 64 * kib, 1]) {
        await say(ann, { to, body: 'x'.repeat(size) });
      }
      const sizes = [];
      for (let batches = 0; batches < 3; batches += 1) {
        const { messages, upTo, remaining } = await call('inbox', ben, {});
        sizes.push([...messages.map(({ body }) => body.length), remaining?.unread ?? 0]);
        await call('read', ben, { upTo });
      }
      assert.deepEqual(sizes, [
        [40 * kib, 24 * kib, 3],
        [1, 2],
        [64 * kib, 1],
      ]);
    },
  },
  {
    title: 'a pull member’s position moves with the answer',
    cites: [
      'inbox.pull-moves',
      'inbox.empty',
      'presence.pull-online',
      'presence.online-now',
      'send.sent',
    ],
    bindings: everyBinding,
    needs: ['two-accounts'],
    async play({ call, newRoom, join, say, alice, bob }) {
      const room = await newRoom(alice);
      const ann = await join(alice, room);
      const ben = await join(bob, room, { host: 'chatgpt-web' });
      for (let count = 0; count <= batchMessages; count += 1) await say(ann, { to: [ben.address] });
      const { recipients } = await say(ann, { to: [ben.address], body: 'the last' });
      const [recipient] = recipients;
      assert.ok(recipient !== undefined);
      const { lastActiveAt, ...shown } = recipient;
      const online = { address: ben.address, state: 'online', tier: 'pull', wakeable: false };
      assert.deepEqual(shown, online);
      assert.ok(lastActiveAt > 0);
      const first = await call('inbox', ben, {});
      assert.equal(first.messages.length, batchMessages);
      const second = await call('inbox', ben, {});
      assert.deepEqual(
        second.messages.map(({ seq }) => seq),
        [first.upTo + 1, first.upTo + 2],
      );
      assert.equal(second.messages.at(-1)?.body, 'the last');
      assert.deepEqual(await call('inbox', ben, {}), { messages: [], upTo: 0, remaining: null });
    },
  },
  {
    title: 'concurrent calls of a pull member hand every message over exactly once',
    cites: ['inbox.pull-once'],
    bindings: everyBinding,
    needs: ['two-accounts'],
    async play({ call, newRoom, join, say, alice, bob }) {
      const room = await newRoom(alice);
      const ann = await join(alice, room);
      const ben = await join(bob, room, { host: 'web' });
      const count = 2 * batchMessages + 5;
      const sent = [];
      for (let index = 0; index < count; index += 1) {
        sent.push((await say(ann, { to: [ben.address] })).seq);
      }
      const batches = await Promise.all(Array.from({ length: 5 }, () => call('inbox', ben, {})));
      const got = batches.flatMap(({ messages }) => messages.map(({ seq }) => seq));
      assert.deepEqual(
        got.toSorted((a, b) => a - b),
        sent,
      );
      assert.deepEqual((await call('inbox', ben, {})).messages, []);
    },
  },
  {
    title: 'messages read one by one arrive in the order they were said',
    cites: ['inbox.order'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { say, take } = world;
      const { ann, ben, cat } = await meet(world);
      const bodies = ['one', 'two', 'three', 'four'];
      const got: string[] = [];
      for (const [index, body] of bodies.entries()) {
        await say(index % 2 === 0 ? ann : cat, { to: [ben.address], body });
        if (index % 2 === 1) got.push(...bodiesOf((await take(ben)).messages));
      }
      assert.deepEqual(got, bodies);
      assert.deepEqual((await take(ben)).messages, []);
    },
  },
];
