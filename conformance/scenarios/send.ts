// Scenarios of saying something: who receives it, who may read it, repeats, what is refused.
import assert from 'node:assert/strict';
import { refused } from '../refused.ts';
import { everyBinding, overHttp, type Scenario } from '../scenario.ts';
import { addressesOf, bodiesOf, meet, newId, observer } from '../world.ts';

export const sendScenarios: readonly Scenario[] = [
  {
    title: 'a message reaches whom it names, and everyone may read it',
    cites: ['send.sent', 'send.named', 'presence.push-offline', 'inbox.order'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, take } = world;
      const { ann, ben, cat } = await meet(world);
      const id = newId('m_');
      const sent = await call('send', ann, { id, to: [ben.address], body: 'for ben' });
      assert.equal(sent.id, id);
      const [recipient] = sent.recipients;
      assert.ok(recipient !== undefined && sent.recipients.length === 1);
      const { lastActiveAt, ...shown } = recipient;
      assert.deepEqual(shown, {
        address: ben.address,
        state: 'offline',
        tier: 'push',
        wakeable: false,
      });
      assert.ok(lastActiveAt > 0);
      assert.equal((await say(ann)).seq, sent.seq + 1);

      const [message] = (await take(ben)).messages;
      assert.ok(message !== undefined);
      const { createdAt, ...headers } = message;
      assert.deepEqual(headers, {
        id,
        seq: sent.seq,
        from: ann.address,
        fromHost: 'codex',
        visibility: 'room',
        to: [ben.address],
        toRoom: false,
        kind: 'text',
        body: 'for ben',
      });
      assert.ok(Number.isInteger(createdAt));
      assert.deepEqual((await take(cat)).messages, []);
      assert.ok(bodiesOf((await call('history', cat, {})).messages).includes('for ben'));
    },
  },
  {
    title: 'a message to nobody is on record only',
    cites: ['send.record'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, take } = world;
      const { ann, ben, cat } = await meet(world);
      assert.deepEqual((await say(ann, { to: [], body: 'for the record' })).recipients, []);
      for (const seat of [ann, ben, cat]) assert.deepEqual((await take(seat)).messages, []);
      assert.equal((await call('history', ben, {})).messages.at(-1)?.body, 'for the record');
    },
  },
  {
    title: 'a dm is read by its sender and its recipients alone',
    cites: ['send.dm', 'history.owner', 'history.member'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, take, join, alice, bob, carol } = world;
      const { room, ann, ben, cat } = await meet(world);
      const sent = await say(ben, { to: [cat.address], body: 'between us', dm: true });
      assert.deepEqual(addressesOf(sent.recipients), [cat.address]);
      const [message] = (await take(cat)).messages;
      assert.deepEqual([message?.body, message?.visibility], ['between us', 'dm']);
      const reads = async (caller: Parameters<typeof call>[1]) =>
        bodiesOf((await call('history', caller, {})).messages).includes('between us');
      assert.deepEqual([await reads(ben), await reads(cat), await reads(ann)], [true, true, false]);
      assert.equal(await reads(observer(bob, room)), true);
      assert.equal(await reads(observer(carol, room)), true);
      assert.equal(await reads(observer(alice, room)), false);
      const latecomer = await join(alice, room);
      assert.ok(!bodiesOf(latecomer.joined.history).includes('between us'));
      assert.deepEqual((await take(ann)).messages, []);
    },
  },
  {
    title: '@room is everyone present but the sender, at that instant',
    cites: ['send.room', 'view.to-list'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, take, join, alice } = world;
      const { room, ann, ben, cat } = await meet(world);
      const gone = await join(alice, room);
      await call('leave', gone, {});
      const sent = await say(ann, { to: '@room', body: 'all of you' });
      const to = [ben.address, cat.address];
      assert.deepEqual(addressesOf(sent.recipients), to);
      const late = await join(alice, room);
      const [message] = (await take(ben)).messages;
      assert.deepEqual([message?.toRoom, message?.to], [true, to]);
      assert.deepEqual(bodiesOf((await take(cat)).messages), ['all of you']);
      assert.deepEqual((await take(late)).messages, []);
      assert.deepEqual((await take(ann)).messages, []);
      assert.deepEqual((await call('history', late, {})).messages.find((it) => it.toRoom)?.to, to);
    },
  },
  {
    title: '@room in a room of one’s own is on record',
    cites: ['send.room'],
    bindings: everyBinding,
    async play({ newRoom, join, say, alice }) {
      const ann = await join(alice, await newRoom(alice));
      assert.deepEqual((await say(ann, { to: '@room' })).recipients, []);
    },
  },
  {
    title: 'duplicates and the sender drop out of the recipients',
    cites: ['send.duplicates', 'send.dm-alone'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { say, take } = world;
      const { ann, ben, cat } = await meet(world);
      const to = [cat.address, ann.address, ben.address, cat.address, ben.address];
      const sent = await say(ann, { to, body: 'once each' });
      assert.deepEqual(addressesOf(sent.recipients).sort(), [ben.address, cat.address].sort());
      assert.deepEqual(bodiesOf((await take(cat)).messages), ['once each']);
      assert.deepEqual((await say(ann, { to: [ann.address] })).recipients, []);
      await refused('invalid_input', say(ann, { to: [ann.address], dm: true }));
      await refused('invalid_input', say(ann, { to: [], dm: true }));
    },
  },
  {
    title: 'all unknown recipients are named at once, and nothing is sent',
    cites: ['send.unknown', 'errors.members'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, take } = world;
      const { ann, ben, cat } = await meet(world);
      await call('leave', cat, {});
      const unknown = [cat.address, 'nobody_known/x'];
      const { seq } = await say(ann);
      const attempt = say(ann, { to: [ben.address, ...unknown], body: 'not said' });
      const { message, data } = await refused('no_such_member', attempt);
      for (const address of unknown) assert.ok(message.includes(address), message);
      assert.deepEqual(addressesOf(data?.members ?? []), [ann.address, ben.address]);
      assert.deepEqual((await take(ben)).messages, []);
      assert.equal((await say(ann)).seq, seq + 1);
    },
  },
  {
    title: 'recipients are at most 50 addresses, or the room',
    cites: ['limit.to'],
    bindings: everyBinding,
    async play({ newRoom, join, say, alice }) {
      const ann = await join(alice, await newRoom(alice));
      await say(ann, { to: Array.from({ length: 50 }, () => ann.address) });
      await refused(
        'invalid_input',
        say(ann, { to: Array.from({ length: 51 }, () => ann.address) }),
      );
      const malformed = ['ann', 'Alice/ann', 'alice/', '/ann', 'alice/ann/x', 'al/ann', '@room'];
      for (const address of [...malformed, `alice/${'x'.repeat(41)}`, 'alice/-x', '']) {
        await refused('invalid_input', say(ann, { to: [address] }));
      }
    },
  },
  {
    title: 'a body has one character to 64 KiB, and its size is judged before its recipients',
    cites: ['limit.body', 'send.size-first'],
    bindings: everyBinding,
    async play({ newRoom, join, say, take, alice }) {
      const room = await newRoom(alice);
      const [ann, other] = [await join(alice, room), await join(alice, room)];
      const longest = ['x'.repeat(65_536), 'é'.repeat(32_768), '😀'.repeat(16_384)];
      for (const body of longest) {
        await say(ann, { to: [other.address], body });
        assert.ok((await take(other)).messages[0]?.body === body);
        await refused('limit_reached', say(ann, { to: [other.address], body: `${body}x` }));
      }
      await refused(
        'limit_reached',
        say(ann, { to: ['nobody_known/x'], body: 'x'.repeat(65_537) }),
      );
      await refused('invalid_input', say(ann, { body: '' }));
      for (const body of [' ', '\n', '\u0000', '\u200B']) await say(ann, { body });
    },
  },
  {
    title: 'meta comes back as sent, within its limits',
    cites: ['send.meta', 'limit.meta'],
    bindings: overHttp,
    async play({ call, newRoom, join, say, take, alice }) {
      const room = await newRoom(alice);
      const [ann, other] = [await join(alice, room), await join(alice, room)];
      const many = (count: number) =>
        Object.fromEntries(Array.from({ length: count }, (_, index) => [`key${index}`, 'x']));
      const fullest = { ...many(7), ['🔑'.repeat(64)]: '值'.repeat(256) };
      for (const meta of [fullest, { constructor: '', toString: ' x ' }]) {
        await say(ann, { to: [other.address], meta });
        assert.deepEqual((await take(other)).messages[0]?.meta, meta);
        assert.deepEqual((await call('history', other, {})).messages.at(-1)?.meta, meta);
      }
      const tooMuch = [many(9), { ['k'.repeat(65)]: '' }, { k: 'v'.repeat(257) }, { '': 'x' }];
      for (const meta of tooMuch) await refused('invalid_input', say(ann, { meta }));
    },
  },
  {
    title: 'a repeated send gets the first result, and nobody is told twice',
    cites: ['send.repeat'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, take } = world;
      const { room, ann, ben, cat } = await meet(world);
      const message = {
        id: newId('m_'),
        to: [cat.address, ben.address],
        body: 'once',
        meta: { a: '1', b: '2' },
      };
      const first = await call('send', ann, message);
      const again = await call('send', ann, { ...message, meta: { b: '2', a: '1' } });
      assert.deepEqual([again.id, again.seq], [first.id, first.seq]);
      assert.deepEqual(addressesOf(again.recipients), addressesOf(first.recipients));
      const concurrent = { ...message, id: newId('m_') };
      const results = await Promise.all(
        Array.from({ length: 5 }, () => call('send', ann, concurrent)),
      );
      assert.equal(new Set(results.map(({ seq }) => seq)).size, 1);
      assert.deepEqual(bodiesOf((await take(ben)).messages), ['once', 'once']);
      const { messages } = await call('history', observer(world.alice, room), {});
      assert.equal(messages.filter(({ body }) => body === 'once').length, 2);
    },
  },
  {
    title: 'a repeat gets the first result even when its recipient has left since',
    cites: ['send.repeat', 'send.repeat-first'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, take } = world;
      const { ann, ben, cat } = await meet(world);
      const dm = { id: newId('m_'), to: [ben.address], body: 'x', dm: true };
      const first = await call('send', ann, dm);
      const question = await call('send', cat, { id: newId('m_'), to: '@room', body: '?' });
      const reply = { id: newId('m_'), to: [], body: 'x', replyTo: question.id };
      const answered = await call('send', ann, reply);
      await take(ben);
      await call('leave', ben, {});
      await call('leave', cat, {});
      const again = await call('send', ann, dm);
      assert.deepEqual([again.seq, addressesOf(again.recipients)], [first.seq, [ben.address]]);
      assert.equal((await call('send', ann, reply)).seq, answered.seq);
    },
  },
  {
    title: 'a known ID with other content, or from anyone else, is refused',
    cites: ['send.repeat-other'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, newRoom, join, alice } = world;
      const { room, ann, ben, cat } = await meet(world);
      const { id: replyTo } = await call('send', ben, { id: newId('m_'), to: [], body: '?' });
      const message = { id: newId('m_'), to: [ben.address], body: 'x' };
      await call('send', ann, message);
      const others = [
        { body: 'y' },
        { body: 'x'.repeat(70_000) },
        { to: [] },
        { to: [cat.address] },
        { to: ['nobody_known/x'] },
        { to: '@room' as const },
        { dm: true },
        { replyTo },
        { replyTo: newId('m_') },
        { meta: { a: '1' } },
      ];
      for (const change of others) {
        await refused('invalid_input', call('send', ann, { ...message, ...change }));
      }
      await refused('invalid_input', call('send', cat, message));
      const elsewhere = await join(alice, await newRoom(alice));
      await refused('invalid_input', call('send', elsewhere, { ...message, to: [] }));
      const { messages } = await call('history', observer(alice, room), {});
      assert.equal(messages.filter(({ id }) => id === message.id).length, 1);
    },
  },
  {
    title: 'sends of everyone at once all succeed, each delivered once',
    cites: ['send.concurrent', 'inbox.order'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { say, take } = world;
      const { ann, ben, cat } = await meet(world);
      const bodies = Array.from({ length: 12 }, (_, index) => `message ${index}`);
      const sent = await Promise.all(
        bodies.map((body, index) => say(index % 2 === 0 ? ann : ben, { to: [cat.address], body })),
      );
      const seqs = sent.map(({ seq }) => seq);
      assert.equal(new Set(seqs).size, bodies.length);
      const { messages } = await take(cat);
      assert.deepEqual(
        messages.map(({ seq }) => seq),
        seqs.toSorted((a, b) => a - b),
      );
      assert.deepEqual(bodiesOf(messages).sort(), bodies.toSorted());
    },
  },
];
