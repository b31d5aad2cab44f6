// Scenarios of being told: of what, when, who, and what a frame holds.
import assert from 'node:assert/strict';
import type { RoomLink } from '../room-links.ts';
import { overLink, type Scenario } from '../scenario.ts';
import { type LinkWorld, meet } from '../world.ts';

const secret = 'correct horse battery staple';
const inboxBatch = 20;

export const linkNotifyScenarios: readonly Scenario<LinkWorld>[] = [
  {
    title: 'a message is told to its recipients alone, by count, position and senders',
    cites: ['link.notify', 'link.recipients', 'link.no-body', 'link.frames'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { listen, say } = world;
      const { ann, ben, cat } = await meet(world);
      const links = [await listen(ann), await listen(ben), await listen(cat)] as const;
      const [annLink, benLink, catLink] = links;
      const dm = await say(ann, {
        to: [ben.address],
        dm: true,
        body: secret,
        meta: { key: secret },
      });
      const told = await benLink.hearsOf(1);
      assert.deepEqual(told, { t: 'notify', unread: 1, upTo: dm.seq, from: [ann.address] });
      // A message on record tells nobody, so that this is the next that anybody hears.
      await say(ben);
      const all = await say(ben, { to: '@room', body: secret });
      const ofBen = { t: 'notify', unread: 1, upTo: all.seq, from: [ben.address] };
      await Promise.all([annLink.hearsOf(1), catLink.hearsOf(1)]);
      const last = await say(ann, { to: [ben.address] });
      await benLink.hearsOf(2, last.seq);
      assert.deepEqual(annLink.news, [ofBen]);
      assert.deepEqual(catLink.news, [ofBen]);
      assert.equal(benLink.news.length, 2);
      for (const { texts } of links) assert.ok(!texts.join().includes(secret));
    },
  },
  {
    title: 'joining, renaming, reading and leaving tell nobody',
    cites: ['link.recipients', 'link.no-body'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { call, listen, join, say, take, carol } = world;
      const { room, ann, ben, cat } = await meet(world);
      const link = await listen(ben);
      const first = await say(ann, { to: [ben.address] });
      await link.hearsOf(1, first.seq);
      await take(ben);
      const dan = await join(carol, room, { intro: secret });
      await call('rename', dan, { name: 'dora' });
      await call('leave', dan, {});
      await say(cat);
      // Told of its own mail, the other shows that what came before was handled.
      const other = await listen(cat);
      await say(ann, { to: [cat.address] });
      await other.hearsOf(1);
      const { seq } = await say(ann, { to: [ben.address] });
      await link.hearsOf(1, seq);
      assert.equal(link.news.length, 2);
      assert.ok(!link.texts.join().includes(secret));
    },
  },
  {
    title: 'senders stand by their first unread message, under the names they have now',
    cites: ['link.counts', 'link.on-open'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { call, listen, say } = world;
      const { ann, ben, cat } = await meet(world);
      const to = [ben.address];
      await say(cat, { to });
      await say(ann, { to });
      const { seq } = await say(cat, { to });
      const { member } = await call('rename', cat, { name: 'renamed' });
      const link = await listen(ben);
      const told = await link.hearsOf(3);
      const from = [member, ann.address];
      assert.deepEqual(told, { t: 'notify', unread: 3, upTo: seq, from });
    },
  },
  {
    title: 'a frame says of a backlog what inbox says of the rest of it',
    cites: ['link.counts', 'link.on-open'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { listen, say, take } = world;
      const { ann, ben, cat } = await meet(world);
      const to = [ben.address];
      for (let sent = 0; sent < inboxBatch / 2; sent += 1) {
        await Promise.all([say(ann, { to }), say(cat, { to })]);
      }
      await say(cat, { to });
      await say(ann, { to });
      const { messages, remaining } = await take(ben);
      assert.equal(messages.length, inboxBatch);
      const link = await listen(ben);
      assert.deepEqual(await link.hearsOf(2), { t: 'notify', ...remaining });
    },
  },
  {
    title: 'every opening tells what is unread, and nothing if nothing is',
    cites: ['link.on-open', 'link.advisory'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { listen, say, take } = world;
      const { ann, ben, cat } = await meet(world);
      const countsOf = ({ news }: RoomLink) =>
        news.map((frame) => (frame.t === 'notify' ? frame.unread : frame.link));
      await say(ann, { to: [cat.address] });
      const first = await listen(ben);
      // Opened later and with mail: once this one is told, the former had its chance.
      await (await listen(cat)).hearsOf(1);
      await say(ann, { to: [ben.address] });
      await first.hearsOf(1);
      assert.deepEqual(countsOf(first), [1]);
      await first.close();

      const second = await listen(ben);
      await second.hearsOf(1);
      await say(ann, { to: [ben.address] });
      await second.hearsOf(2);
      assert.deepEqual(countsOf(second), [1, 2]);
      await second.close();

      const batch = await take(ben);
      assert.equal(batch.messages.length, 2);
      const third = await listen(ben);
      await (await listen(cat)).hearsOf(1);
      await say(ann, { to: [ben.address] });
      await third.hearsOf(1);
      assert.deepEqual(countsOf(third), [1]);
    },
  },
  {
    title: 'a burst is told with its newest state',
    cites: ['link.newest'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { listen, say } = world;
      const { ann, ben, cat } = await meet(world);
      const link = await listen(ben);
      const senders = Array.from({ length: 10 }, (_, index) => (index % 2 === 0 ? ann : cat));
      const sent = await Promise.all(senders.map((seat) => say(seat, { to: [ben.address] })));
      const highest = Math.max(...sent.map(({ seq }) => seq));
      await link.hearsOf(sent.length, highest);
      assert.ok(link.news.length <= sent.length, `${link.news.length} frames`);
    },
  },
  {
    title: 'deleting an unread message tells what is left',
    cites: ['link.deleted'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { call, listen, say } = world;
      const { ann, ben } = await meet(world);
      const link = await listen(ben);
      const first = await say(ann, { to: [ben.address] });
      const second = await say(ann, { to: [ben.address] });
      await link.hearsOf(2);
      link.forget();
      await call('delete_message', ann, { id: second.id });
      const left = await link.hearsOf(1);
      assert.deepEqual(left, { t: 'notify', unread: 1, upTo: first.seq, from: [ann.address] });
      await call('delete_message', ann, { id: first.id });
      const none = await link.hearsOf(0);
      assert.deepEqual(none, { t: 'notify', unread: 0, upTo: 0, from: [] });
    },
  },
  {
    title: 'who was not told finds the same messages as who was',
    cites: ['link.advisory'],
    bindings: overLink,
    needs: ['three-accounts'],
    async play(world) {
      const { listen, say, take } = world;
      const { ann, ben, cat } = await meet(world);
      const link = await listen(ben);
      for (let sent = 1; sent <= 3; sent += 1) await say(ann, { to: '@room' });
      await link.hearsOf(3);
      const idsOf = async (seat: typeof ben) => (await take(seat)).messages.map(({ id }) => id);
      const told = await idsOf(ben);
      assert.equal(told.length, 3);
      assert.deepEqual(await idsOf(cat), told);
      assert.deepEqual((await take(ben)).messages, []);
    },
  },
];
