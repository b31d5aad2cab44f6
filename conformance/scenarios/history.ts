// Scenarios of looking back: pages, views, what observers see, and what becomes of a message.
import assert from 'node:assert/strict';
import type { OperationResult } from '../../protocol/operations/index.ts';
import type { Caller } from '../client.ts';
import { refused } from '../refused.ts';
import { everyBinding, overHttp, type Scenario } from '../scenario.ts';
import { bodiesOf, meet, observer, type World } from '../world.ts';

const pageMessages = 30;
const kib = 1_024;

type Page = OperationResult<'history'>;

/** All pages from the newest back, each oldest first. */
async function pagesOf({ call }: World, caller: Caller, view?: 'room' | 'correspondence') {
  const pages: Page[] = [];
  let before: number | null = Number.MAX_SAFE_INTEGER;
  while (before !== null) {
    const page: Page = await call('history', caller, { before, view });
    pages.push(page);
    before = page.nextBefore;
  }
  return pages;
}

/** States of the recipients of one message, as an observer sees them. */
function statesOf({ messages }: Page, body: string): Record<string, string> {
  const recipients = messages.find((message) => message.body === body)?.recipients ?? [];
  return Object.fromEntries(recipients.map(({ address, state }) => [address, state]));
}

export const historyScenarios: readonly Scenario[] = [
  {
    title: 'history comes in pages of 30, oldest first, down to its beginning',
    cites: ['history.pages', 'limit.history', 'join.joined'],
    bindings: overHttp,
    async play(world) {
      const { call, newRoom, join, say, alice } = world;
      const room = await newRoom(alice);
      const ann = await join(alice, room);
      const count = 2 * pageMessages - 1;
      for (let index = 0; index < count; index += 1) await say(ann, { body: `message ${index}` });
      const newest = await call('history', ann, {});
      assert.equal(newest.messages.length, pageMessages);
      assert.equal(newest.nextBefore, newest.messages[0]?.seq);
      const pages = await pagesOf(world, ann);
      assert.deepEqual(pages[0], newest);
      assert.deepEqual(
        pages.map(({ messages }) => messages.length),
        [pageMessages, pageMessages],
      );
      const all = pages.toReversed().flatMap(({ messages }) => messages);
      assert.equal(all[0]?.kind, 'intro');
      assert.deepEqual(
        bodiesOf(all.slice(1)),
        Array.from({ length: count }, (_, index) => `message ${index}`),
      );
      const { joined } = await join(alice, room);
      assert.equal(joined.history.length, pageMessages);
      assert.equal(joined.history.at(-1)?.kind, 'intro');
      const first = all[0]?.seq ?? 0;
      for (const before of [0, first]) {
        assert.deepEqual(await call('history', ann, { before }), {
          messages: [],
          nextBefore: null,
        });
      }
      for (const before of [-1, 1.5]) {
        await refused('invalid_input', call('history', ann, { before }));
      }
    },
  },
  {
    title: 'a page has at most 64 KiB of bodies, but always one message',
    cites: ['limit.history', 'history.pages'],
    bindings: overHttp,
    async play(world) {
      const { newRoom, join, say, alice } = world;
      const ann = await join(alice, await newRoom(alice), { intro: 'x' });
      for (const size of [1, 64 * kib, 24 * kib, 40 * kib])
        await say(ann, { body: 'x'.repeat(size) });
      const sizes = (await pagesOf(world, ann)).map(({ messages }) =>
        messages.map(({ body }) => body.length),
      );
      assert.deepEqual(sizes, [[24 * kib, 40 * kib], [64 * kib], [1, 1]]);
    },
  },
  {
    title: 'looking back reads nothing',
    cites: ['history.no-read'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, take } = world;
      const { ann, ben } = await meet(world);
      await say(ann, { to: [ben.address], body: 'unread' });
      assert.ok(bodiesOf((await call('history', ben, {})).messages).includes('unread'));
      assert.deepEqual(bodiesOf((await take(ben)).messages), ['unread']);
    },
  },
  {
    title: 'a member sees the room and the dms of its own stay',
    cites: ['history.member', 'view.observed-message'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, join, bob } = world;
      const { room, ann, ben, cat } = await meet(world);
      const second = await join(bob, room);
      await say(ann, { to: [ben.address], body: 'ann to ben', dm: true });
      await say(ben, { to: [ann.address], body: 'ben to ann', dm: true });
      await say(cat, { to: [second.address], body: 'to the other of bob', dm: true });
      await say(cat, { to: [second.address], body: 'in the room' });
      const { messages } = await call('history', ben, {});
      const texts = messages.filter(({ kind }) => kind === 'text');
      assert.deepEqual(bodiesOf(texts), ['ann to ben', 'ben to ann', 'in the room']);
      assert.ok(messages.every((it) => it.recipients === undefined && it.owned === undefined));
    },
  },
  {
    title: 'an observer sees the dms of its account’s members of any stay, an owner no other',
    cites: ['history.observer', 'history.owner', 'view.observed-message', 'view.observed-member'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, join, alice, bob } = world;
      const { room, ann, ben, cat } = await meet(world);
      await say(ben, { to: [cat.address], body: 'of a former stay', dm: true });
      await call('leave', ben, {});
      const again = await join(bob, room);
      await say(cat, { to: [again.address], body: 'of this stay', dm: true });
      await say(cat, { to: [ann.address], body: 'of others', dm: true });
      await say(cat, { to: [again.address], body: 'of the room' });
      const textsOf = async (account: typeof alice) =>
        (await call('history', observer(account, room), {})).messages.filter(
          ({ kind }) => kind === 'text',
        );
      const texts = await textsOf(bob);
      assert.deepEqual(bodiesOf(texts), ['of a former stay', 'of this stay', 'of the room']);
      assert.deepEqual(
        texts.map(({ owned }) => owned),
        [true, false, false],
      );
      assert.deepEqual(bodiesOf(await textsOf(alice)), ['of others', 'of the room']);
    },
  },
  {
    title: 'a view selects the room or the correspondence, before pages are cut',
    cites: ['history.view-room', 'history.view-correspondence', 'history.filter-first'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { say, bob } = world;
      const { room, ann, ben, cat } = await meet(world);
      await say(cat, { to: [ben.address], body: 'a dm to ben', dm: true });
      await say(ben, { to: [ann.address], body: 'ben in the room' });
      for (let count = 0; count < pageMessages; count += 1) {
        await say(count % 2 === 0 ? ann : cat, { body: 'talk of others' });
      }
      await say(ann, { to: '@room', body: 'to everyone' });
      const textsOf = async (caller: Caller, view: 'room' | 'correspondence') => {
        const pages = await pagesOf(world, caller, view);
        const texts = pages.map(({ messages }) => messages.filter(({ kind }) => kind === 'text'));
        return texts.map(bodiesOf);
      };
      for (const caller of [ben, observer(bob, room)]) {
        const correspondence = ['a dm to ben', 'ben in the room', 'to everyone'];
        assert.deepEqual(await textsOf(caller, 'correspondence'), [correspondence]);
        const rest = ['ben in the room', 'talk of others'];
        const page = [
          ...Array.from({ length: pageMessages - 1 }, () => 'talk of others'),
          'to everyone',
        ];
        assert.deepEqual(await textsOf(caller, 'room'), [page, rest]);
      }
      assert.deepEqual(await textsOf(cat, 'correspondence'), [
        [
          'a dm to ben',
          ...Array.from({ length: pageMessages / 2 }, () => 'talk of others'),
          'to everyone',
        ],
      ]);
    },
  },
  {
    title: 'an observer sees whether each recipient has replied, read or left',
    cites: ['state.replied', 'state.read', 'state.left', 'state.unread', 'view.observed-message'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, take, join, alice, bob } = world;
      const { room, ann, ben, cat } = await meet(world);
      const dan = await join(bob, room, { name: 'dan' });
      const look = () => call('history', observer(alice, room), {});
      const question = await say(ann, { to: '@room', body: 'asked' });
      const { address: b } = ben;
      const { address: c } = cat;
      const { address: d } = dan;
      assert.deepEqual(statesOf(await look(), 'asked'), {
        [b]: 'unread',
        [c]: 'unread',
        [d]: 'unread',
      });
      await take(cat);
      await say(ben, { replyTo: question.id, body: 'answered unread' });
      assert.deepEqual(statesOf(await look(), 'asked'), {
        [b]: 'replied',
        [c]: 'read',
        [d]: 'unread',
      });
      await call('leave', ben, {});
      await call('leave', cat, {});
      await call('leave', dan, {});
      assert.deepEqual(statesOf(await look(), 'asked'), {
        [b]: 'replied',
        [c]: 'read',
        [d]: 'left',
      });
    },
  },
  {
    title: 'states belong to the stay, not to the name',
    cites: ['state.stay', 'state.left', 'leave.abandons'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, join, alice, bob } = world;
      const { room, ann, ben } = await meet(world);
      const question = await say(ann, { to: [ben.address], body: 'asked' });
      await call('leave', ben, {});
      const again = await join(bob, room, { name: 'ben' });
      assert.equal(again.address, ben.address);
      await say(again, { replyTo: question.id, body: 'by the next' });
      await call('read', again, { upTo: Number.MAX_SAFE_INTEGER });
      const page = await call('history', observer(alice, room), {});
      assert.deepEqual(statesOf(page, 'asked'), { [ben.address]: 'left' });
    },
  },
];
