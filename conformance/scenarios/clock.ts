// Scenarios that move the Hub's clock: what expires, what refills, who is still there.
import assert from 'node:assert/strict';
import { newHandle } from '../local-accounts.ts';
import { refused } from '../refused.ts';
import { everyBinding, overHttp, overMcp, type Scenario } from '../scenario.ts';
import { bodiesOf, meet, newId, observer, type Seat, type World } from '../world.ts';

const second = 1_000;
const minute = 60 * second;
const day = 24 * 60 * minute;
/** Refused codes leave for good after this. */
const joinWindow = 10 * minute;

async function presenceOf({ call }: World, viewer: Seat, { address }: Seat) {
  const { members } = await call('members', viewer, {});
  const member = members.find((it) => it.address === address);
  assert.ok(member !== undefined);
  return member;
}

export const clockScenarios: readonly Scenario[] = [
  {
    title: 'a pull member is online for ten minutes after its last activity',
    cites: ['presence.pull-online', 'presence.online-now'],
    bindings: everyBinding,
    needs: ['three-accounts', 'clock'],
    async play(world) {
      const { call, join, advanceMs, carol } = world;
      const { room, ann } = await meet(world);
      const web = await join(carol, room, { host: 'claude-web' });
      const joined = (await presenceOf(world, ann, web)).joinedAt;
      advanceMs(9 * minute);
      const online = await presenceOf(world, ann, web);
      assert.deepEqual([online.state, online.wakeable], ['online', false]);
      assert.ok(online.lastActiveAt >= joined + 9 * minute);
      advanceMs(minute);
      const offline = await presenceOf(world, ann, web);
      assert.equal(offline.state, 'offline');
      assert.ok(offline.lastActiveAt < joined + minute);
      await call('inbox', web, {});
      assert.equal((await presenceOf(world, ann, web)).state, 'online');
    },
  },
  {
    title: 'a chat is active with every call, its reading and looking back too',
    cites: ['presence.activity-pull'],
    bindings: overMcp,
    needs: ['two-accounts', 'clock'],
    async play(world) {
      const { call, newRoom, join, advanceMs, alice, bob } = world;
      const room = await newRoom(alice);
      const [ann, ben] = [await join(alice, room), await join(bob, room)];
      let last = (await presenceOf(world, ann, ben)).lastActiveAt;
      for (const operation of ['members', 'history', 'inbox'] as const) {
        advanceMs(2 * minute);
        await call(operation, ben, {});
        advanceMs(11 * minute);
        const { state, lastActiveAt } = await presenceOf(world, ann, ben);
        assert.deepEqual([state, lastActiveAt >= last + 2 * minute], ['offline', true], operation);
        last = lastActiveAt;
      }
    },
  },
  {
    title: 'a message is gone from a chat the second its 30 days are over',
    cites: ['retention.invisible', 'retention.reply'],
    bindings: overMcp,
    needs: ['two-accounts', 'clock'],
    async play(world) {
      const { call, newRoom, join, say, advanceMs, alice, bob } = world;
      const room = await newRoom(alice);
      const [ann, ben] = [await join(alice, room), await join(bob, room)];
      const old = await say(ann, { to: [ben.address], body: 'old' });
      advanceMs(30 * day - minute);
      assert.ok(bodiesOf((await call('history', ben, {})).messages).includes('old'));
      advanceMs(minute + second);
      assert.ok(!bodiesOf((await call('history', ben, {})).messages).includes('old'));
      assert.deepEqual(await call('inbox', ben, {}), { messages: [], upTo: 0, remaining: null });
      await refused('no_such_message', say(ben, { replyTo: old.id }));
    },
  },
  {
    title: 'a push member’s activity is its join, send, inbox and read, at most once a minute',
    cites: ['presence.activity-push', 'presence.activity-grain'],
    bindings: overHttp,
    needs: ['three-accounts', 'clock'],
    async play(world) {
      const { call, say, join, advanceMs, bob } = world;
      const { room, ann, ben } = await meet(world);
      const active = async () => (await presenceOf(world, ann, ben)).lastActiveAt;
      let last = await active();
      const { conversation } = ben;
      const activities: [string, () => Promise<unknown>][] = [
        ['join', () => join(bob, room, { conversation })],
        ['send', () => say(ben)],
        ['inbox', () => call('inbox', ben, {})],
        ['read', () => call('read', ben, { upTo: Number.MAX_SAFE_INTEGER })],
      ];
      for (const [name, act] of activities) {
        advanceMs(2 * minute);
        await say(ann, { to: [ben.address] });
        await act();
        const now = await active();
        assert.ok(now >= last + 2 * minute, `${name} does not count`);
        last = now;
      }
      for (const act of [() => call('inbox', ben, {}), () => join(bob, room, { conversation })]) {
        await act();
        assert.equal(await active(), last);
      }
      advanceMs(2 * minute);
      await call('history', ben, {});
      await call('members', ben, {});
      assert.equal(await active(), last);
    },
  },
  {
    title: 'the website’s member is active when it acts, never by observing',
    cites: ['presence.website', 'presence.pull-online'],
    bindings: overHttp,
    needs: ['three-accounts', 'clock'],
    async play(world) {
      const { call, say, joinAsWebsite, advanceMs, bob } = world;
      const { room, ann } = await meet(world);
      const site = await joinAsWebsite(bob, room);
      const stateOf = async () => (await presenceOf(world, ann, site)).state;
      advanceMs(11 * minute);
      for (const caller of [site, observer(bob, room)]) {
        await call('history', caller, {});
        await call('members', caller, {});
      }
      assert.equal(await stateOf(), 'offline');
      const activities = [
        () => joinAsWebsite(bob, room),
        () => say(site),
        () => call('inbox', site, {}),
        () => call('read', site, { upTo: Number.MAX_SAFE_INTEGER }),
      ];
      for (const act of activities) {
        advanceMs(11 * minute);
        await say(ann, { to: [site.address] });
        assert.equal(await stateOf(), 'offline');
        await act();
        assert.equal(await stateOf(), 'online');
      }
    },
  },
  {
    title: 'the bucket refills by 20 tokens a minute',
    cites: ['bucket.refill', 'bucket.refused', 'bucket.cost'],
    bindings: everyBinding,
    needs: ['three-accounts', 'clock'],
    async play(world) {
      const { call, say, advanceMs } = world;
      const { ann, ben, cat } = await meet(world);
      const to = [ben.address, cat.address];
      const drain = async () => {
        for (let sent = 0; sent < 200; sent += 1) {
          const attempt = say(ann, { to });
          if (
            await attempt.then(
              () => false,
              () => true,
            )
          )
            return refused('rate_limited', attempt);
        }
        throw new Error('the bucket has no bottom');
      };
      const { data } = await drain();
      assert.ok((data?.retryAfterSeconds ?? 0) >= 1 && (data?.retryAfterSeconds ?? 0) <= 6);
      advanceMs((data?.retryAfterSeconds ?? 0) * second);
      await say(ann, { to });
      await drain();
      advanceMs(minute);
      const message = { id: newId('m_'), to, body: 'x' };
      for (let sent = 0; sent < 10; sent += 1)
        await call('send', ann, { ...message, id: newId('m_') });
      await drain();
    },
  },
  {
    title: 'after ten minutes wrong codes are forgotten',
    cites: ['limit.join-attempts'],
    bindings: everyBinding,
    needs: ['new-accounts', 'clock'],
    async play({ newRoom, join, newAccount, advanceMs, alice }) {
      const room = await newRoom(alice);
      const wrong = { ...room, code: '2222-2222' };
      const guesser = await newAccount(newHandle());
      for (let attempt = 0; attempt < 10; attempt += 1) {
        await refused('no_such_room', join(guesser, wrong));
      }
      const { data } = await refused('rate_limited', join(guesser, room));
      assert.ok((data?.retryAfterSeconds ?? 0) * second <= joinWindow);
      advanceMs((data?.retryAfterSeconds ?? 0) * second);
      await join(guesser, room);
      await refused('no_such_room', join(guesser, wrong));
    },
  },
  {
    title: 'a message is gone from everything the second its 30 days are over',
    cites: ['retention.invisible', 'retention.reply'],
    bindings: overHttp,
    needs: ['three-accounts', 'clock'],
    async play(world) {
      const { call, say, join, advanceMs, alice, carol } = world;
      const { room, ann, ben, cat } = await meet(world);
      const old = await say(ann, { to: [ben.address], body: 'old' });
      advanceMs(15 * day);
      await say(ann, { to: [ben.address], body: 'newer' });
      advanceMs(15 * day - minute);
      const textsOf = async (caller: Parameters<typeof call>[1]) =>
        bodiesOf((await call('history', caller, {})).messages).filter((body) => body.length < 6);
      assert.deepEqual(await textsOf(cat), ['old', 'newer']);
      assert.deepEqual(bodiesOf((await call('inbox', ben, {})).messages), ['old', 'newer']);

      advanceMs(minute + second);
      for (const caller of [ann, cat, observer(alice, room)]) {
        assert.deepEqual(await textsOf(caller), ['newer']);
      }
      assert.deepEqual(bodiesOf((await call('inbox', ben, {})).messages), ['newer']);
      assert.equal((await presenceOf(world, ann, ben)).unreadFromMe, 1);
      await refused('no_such_message', say(ben, { replyTo: old.id }));
      await refused('no_such_message', call('delete_message', ann, { id: old.id }));
      const { joined } = await join(carol, room, { as: 'cat' });
      assert.ok(joined.history.every(({ id }) => id !== old.id));
      assert.equal(
        (await presenceOf(world, ann, ben)).intro,
        ben.joined.members.find((it) => it.me)?.intro,
      );

      advanceMs(31 * day);
      assert.deepEqual(await call('inbox', ben, {}), { messages: [], upTo: 0, remaining: null });
      assert.deepEqual(
        await call('history', cat, {}).catch(() => 'continued elsewhere'),
        'continued elsewhere',
      );
      assert.deepEqual((await call('history', observer(alice, room), {})).messages, []);
      await say(ann, { to: [ben.address], body: 'after all' });
      assert.deepEqual(bodiesOf((await call('inbox', ben, {})).messages), ['after all']);
    },
  },
];
