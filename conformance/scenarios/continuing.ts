// Scenarios of continuing a member from another conversation, and of joining again after leaving.
import assert from 'node:assert/strict';
import { refused } from '../refused.ts';
import { everyBinding, overHttp, type Scenario } from '../scenario.ts';
import { bodiesOf, observer } from '../world.ts';

export const continuingScenarios: readonly Scenario[] = [
  {
    title: 'continuing a member moves it here with its unread mail',
    cites: ['continue.repoints', 'continue.no-post', 'view.from-host', 'errors.status'],
    bindings: overHttp,
    needs: ['two-accounts'],
    async play({ call, newRoom, join, say, take, alice, bob }) {
      const room = await newRoom(alice);
      const ann = await join(alice, room, { host: 'codex', name: 'ann' });
      const ben = await join(bob, room, { host: 'codex', name: 'ben', intro: 'Before.' });
      await say(ann, { to: [ben.address], body: 'one' });
      await take(ben);
      await say(ann, { to: [ben.address], body: 'two' });
      await say(ben, { body: 'from codex' });
      const { messages } = await call('history', observer(alice, room), {});

      const workspace = { repo: 'elsewhere', branch: 'next' };
      const options = { host: 'claude', as: 'ben', intro: 'After.', workspace } as const;
      const there = await join(bob, room, options);
      const { outcome, member, unread, members } = there.joined;
      assert.deepEqual([outcome, member, unread], ['continued', ben.address, 1]);
      const me = members.find((it) => it.me);
      assert.deepEqual([me?.host, me?.intro, me?.workspace], ['claude', 'After.', workspace]);
      assert.equal(me?.joinedAt, ben.joined.members.find((it) => it.me)?.joinedAt);
      assert.equal(members.length, 2);
      const after = (await call('history', observer(alice, room), {})).messages;
      assert.deepEqual(
        after.map(({ id }) => id),
        messages.map(({ id }) => id),
      );
      assert.deepEqual(bodiesOf((await take(there)).messages), ['two']);

      await say(there, { body: 'from claude' });
      const hosts = (await call('history', there, {})).messages
        .filter(({ body }) => body.startsWith('from '))
        .map(({ fromHost, from }) => [fromHost, from]);
      assert.deepEqual(hosts, [
        ['codex', ben.address],
        ['claude', ben.address],
      ]);
    },
  },
  {
    title: 'the conversation a member was continued from is out at once and free',
    cites: ['continue.former', 'leave.final'],
    bindings: everyBinding,
    async play({ call, newRoom, join, say, alice }) {
      const room = await newRoom(alice);
      const former = await join(alice, room, { name: 'ann' });
      await join(alice, room, { as: 'ann' });
      await refused('not_in_room', say(former));
      await refused('not_in_room', call('inbox', former, {}));
      await refused('not_in_room', call('read', former, { upTo: 1 }));
      await refused('not_in_room', call('history', former, {}));
      await refused('not_in_room', call('members', former, {}));
      await refused('not_in_room', call('leave', former, {}));
      await refused('not_in_room', call('rename', former, { name: 'x' }));
      await join(alice, await newRoom(alice), { conversation: former.conversation });
    },
  },
  {
    title: 'a conversation that was continued elsewhere may join the same room as another member',
    cites: ['continue.former', 'join.name-taken'],
    bindings: everyBinding,
    async play({ newRoom, join, alice }) {
      const room = await newRoom(alice);
      const former = await join(alice, room, { name: 'ann' });
      await join(alice, room, { as: 'ann' });
      const { conversation } = former;
      const back = await join(alice, room, { conversation, name: 'ann' });
      assert.deepEqual([back.joined.outcome, back.address], ['joined', `${alice.handle}/ann-2`]);
    },
  },
  {
    title: 'only a present member of the same account is continued, by name or by address',
    cites: ['continue.own', 'continue.reference', 'errors.members'],
    bindings: overHttp,
    needs: ['two-accounts'],
    async play({ call, newRoom, join, alice, bob }) {
      const room = await newRoom(alice);
      const ann = await join(alice, room, { name: 'ann' });
      const gone = await join(bob, room, { name: 'gone' });
      await join(bob, room, { name: 'ben' });
      await call('leave', gone, {});
      for (const as of ['ann', ann.address, 'gone', gone.address, 'nobody', 'nobody_at/all']) {
        const { data } = await refused('no_such_member', join(bob, room, { as }));
        assert.ok(Array.isArray(data?.members), 'data.members');
      }
      for (const as of ['Ben', 'ben/', '/ben', '', 'be n', `${bob.handle}/ben/x`]) {
        await refused('invalid_input', join(bob, room, { as }));
      }
      const outcomes = [];
      for (const as of ['ben', `${bob.handle}/ben`]) {
        outcomes.push((await join(bob, room, { as })).joined.outcome);
      }
      assert.deepEqual(outcomes, ['continued', 'continued']);
    },
  },
  {
    title: 'of two continuations the later one has the member',
    cites: ['continue.last-wins'],
    bindings: everyBinding,
    async play({ call, newRoom, join, alice }) {
      const room = await newRoom(alice);
      await join(alice, room, { name: 'ann' });
      const first = await join(alice, room, { as: 'ann' });
      const second = await join(alice, room, { as: 'ann' });
      await refused('not_in_room', call('inbox', first, {}));
      await call('inbox', second, {});
    },
  },
  {
    title: 'of many continuations at once exactly one conversation ends up with the member',
    cites: ['continue.last-wins'],
    bindings: everyBinding,
    async play({ call, newRoom, join, alice }) {
      const room = await newRoom(alice);
      await join(alice, room, { name: 'ann' });
      const attempts = Array.from({ length: 4 }, () => join(alice, room, { as: 'ann' }));
      const settled = await Promise.allSettled(attempts);
      const seats = settled.flatMap((it) => (it.status === 'fulfilled' ? [it.value] : []));
      const inboxes = await Promise.allSettled(seats.map((seat) => call('inbox', seat, {})));
      assert.equal(inboxes.filter(({ status }) => status === 'fulfilled').length, 1);
      assert.equal((await call('members', observer(alice, room), {})).members.length, 1);
    },
  },
  {
    title: 'website members neither continue others nor are continued',
    cites: ['continue.no-website'],
    bindings: overHttp,
    async play({ call, newRoom, join, joinAsWebsite, alice }) {
      const room = await newRoom(alice);
      await join(alice, room, { name: 'ann' });
      const intro = { intro: 'x', workspace: { repo: '', branch: '' } };
      const site = { account: alice, host: 'website', conversation: 'site' } as const;
      await refused('invalid_input', call('join', site, { room: room.id, as: 'ann', ...intro }));
      await joinAsWebsite(alice, room);
      await refused('no_such_member', join(alice, room, { as: 'website' }));
    },
  },
  {
    title: 'joining again after leaving is a new stay at the present',
    cites: ['rejoin.new', 'leave.abandons', 'history.member'],
    bindings: everyBinding,
    needs: ['two-accounts'],
    async play({ call, newRoom, join, say, take, alice, bob }) {
      const room = await newRoom(alice);
      const ann = await join(alice, room);
      const ben = await join(bob, room, { name: 'ben' });
      await say(ann, { to: [ben.address], body: 'for the room' });
      await say(ann, { to: [ben.address], body: 'for ben', dm: true });
      await call('leave', ben, {});
      const { conversation } = ben;
      const again = await join(bob, room, { conversation, name: 'ben' });
      assert.deepEqual([again.joined.outcome, again.address], ['joined', ben.address]);
      assert.equal(again.joined.unread, 0);
      assert.deepEqual((await take(again)).messages, []);
      const seen = bodiesOf((await call('history', again, {})).messages);
      assert.ok(seen.includes('for the room') && !seen.includes('for ben'), seen.join());
      const observed = bodiesOf((await call('history', observer(bob, room), {})).messages);
      assert.ok(observed.includes('for ben'), 'the account still sees the dms of its former stay');
    },
  },
];
