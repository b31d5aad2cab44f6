// Scenarios of the people in a room: the list, renaming, leaving, removal.
import assert from 'node:assert/strict';
import { refused } from '../refused.ts';
import { everyBinding, overHttp, type Scenario } from '../scenario.ts';
import { addressesOf, bodiesOf, meet, observer } from '../world.ts';

export const memberScenarios: readonly Scenario[] = [
  {
    title: 'members are listed by join time, each as its viewer may see it',
    cites: ['members.order', 'view.member', 'view.observed-member', 'presence.push-offline'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, bob, carol } = world;
      const { room, ann, ben, cat } = await meet(world);
      const addresses = [ann.address, ben.address, cat.address];
      const { members } = await call('members', ben, {});
      assert.deepEqual(addressesOf(members), addresses);
      assert.deepEqual(
        members.map(({ me }) => me),
        [false, true, false],
      );
      assert.ok(members.every((it) => it.owned === undefined && it.state === 'offline'));
      assert.ok(members.every((it) => !it.wakeable && it.tier === 'push'));

      const observed = (await call('members', observer(bob, room), {})).members;
      assert.deepEqual(addressesOf(observed), addresses);
      assert.deepEqual(
        observed.map(({ owned }) => owned),
        [false, true, false],
      );
      assert.ok(observed.every(({ me }) => !me));
      await call('leave', ann, {});
      const left = (await call('members', observer(carol, room), {})).members;
      assert.deepEqual(addressesOf(left), addresses.slice(1));
    },
  },
  {
    title: 'each member shows how much of the caller’s it has not read',
    cites: ['view.unread-from-me'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, alice } = world;
      const { room, ann, ben, cat } = await meet(world);
      const unreadOf = async (caller: typeof ann | ReturnType<typeof observer>) =>
        (await call('members', caller, {})).members.map(({ unreadFromMe }) => unreadFromMe);
      await say(ann, { to: [ben.address] });
      const second = await say(ann, { to: '@room' });
      await say(ann, { to: [cat.address], dm: true });
      await say(ann);
      await say(ben, { to: [ann.address, cat.address] });
      assert.deepEqual(await unreadOf(ann), [0, 2, 2]);
      assert.deepEqual(await unreadOf(ben), [1, 0, 1]);
      assert.deepEqual(await unreadOf(observer(alice, room)), [0, 2, 2]);
      await call('read', ben, { upTo: second.seq - 1 });
      await call('read', cat, { upTo: second.seq });
      assert.deepEqual(await unreadOf(ann), [0, 1, 1]);
    },
  },
  {
    title: 'a member is renamed, and its messages show the new name',
    cites: ['rename.renamed', 'view.current-names', 'send.unknown', 'name.slug'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, take, bob } = world;
      const { ann, ben, cat } = await meet(world);
      await say(ben, { to: [cat.address], body: 'before' });
      await say(cat, { to: [ben.address], body: 'to ben' });
      const { member } = await call('rename', ben, { name: ' Ben the 2nd! ' });
      assert.equal(member, `${bob.handle}/ben-the-2nd`);
      const { messages } = await call('history', ann, {});
      assert.equal(messages.find(({ body }) => body === 'before')?.from, member);
      assert.deepEqual(messages.find(({ body }) => body === 'to ben')?.to, [member]);
      assert.equal((await take(cat)).messages[0]?.from, member);
      const { data } = await refused('no_such_member', say(ann, { to: [ben.address] }));
      assert.ok(data?.members?.some(({ address }) => address === member));
      await say(ann, { to: [member], body: 'hello' });
      assert.deepEqual(bodiesOf((await take(ben)).messages), ['to ben', 'hello']);
    },
  },
  {
    title: 'the name a member has already is no change, and one that is taken is refused',
    cites: ['rename.same', 'rename.taken', 'name.slug'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, join, alice } = world;
      const { room, ann, cat } = await meet(world);
      const other = await join(alice, room, { name: 'other' });
      const { seq } = await say(ann);
      assert.equal((await call('rename', ann, { name: 'ann' })).member, ann.address);
      assert.equal((await call('rename', ann, { name: ' Ann ' })).member, ann.address);
      assert.equal((await say(ann)).seq, seq + 1);
      await refused('name_taken', call('rename', ann, { name: 'other' }));
      for (const name of ['', '😀', '---', 'x'.repeat(201)]) {
        await refused('invalid_input', call('rename', ann, { name }));
      }
      await call('rename', cat, { name: 'other' });
      await call('leave', other, {});
      assert.equal((await call('rename', ann, { name: 'other' })).member, other.address);
    },
  },
  {
    title: 'an account renames its own members, and nobody else’s even in a room it owns',
    cites: ['rename.own', 'rename.observer', 'leave.foreign'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, alice, bob } = world;
      const { room, ann, ben } = await meet(world);
      await refused('invalid_input', call('rename', observer(bob, room), { name: 'x' }));
      const named = { member: 'ben', name: 'bernard' };
      const { member } = await call('rename', observer(bob, room), named);
      assert.equal(member, `${bob.handle}/bernard`);
      for (const caller of [ann, observer(alice, room)]) {
        await refused('forbidden', call('rename', caller, { member, name: 'x' }));
        await refused('no_such_member', call('rename', caller, { member: ben.address, name: 'x' }));
        await refused('no_such_member', call('rename', caller, { member: 'ben', name: 'x' }));
      }
    },
  },
  {
    title: 'a member that left acts and reads no more',
    cites: ['leave.left', 'leave.final'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, take } = world;
      const { ann, ben, cat } = await meet(world);
      await say(ann, { to: [ben.address] });
      assert.equal((await call('leave', ben, {})).left, ben.address);
      await refused('not_in_room', call('leave', ben, {}));
      await refused('not_in_room', say(ben));
      await refused('not_in_room', take(ben));
      await refused('not_in_room', call('history', ben, {}));
      await refused('not_in_room', call('members', ben, {}));
      await refused('not_in_room', call('rename', ben, { name: 'x' }));
      await refused('no_such_member', say(ann, { to: [ben.address] }));
      const { recipients } = await say(ann, { to: '@room' });
      assert.deepEqual(addressesOf(recipients), [cat.address]);
    },
  },
  {
    title: 'an account ends its own members, the room’s owner any, nobody else another’s',
    cites: ['leave.own-account', 'leave.room-owner', 'leave.foreign', 'rename.observer'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, join, alice, bob } = world;
      const { room, ann, ben, cat } = await meet(world);
      for (const caller of [ben, observer(bob, room)]) {
        await refused('forbidden', call('leave', caller, { member: cat.address }));
        await refused('forbidden', call('leave', caller, { member: ann.address }));
        const { data } = await refused('no_such_member', call('leave', caller, { member: 'x' }));
        assert.equal(data?.members?.length, 3);
      }
      await refused('invalid_input', call('leave', observer(bob, room), {}));

      assert.equal((await call('leave', ann, { member: cat.address })).left, cat.address);
      await refused('not_in_room', call('inbox', cat, {}));
      await join(bob, room, { name: 'second' });
      const second = { member: 'second' };
      assert.equal((await call('leave', ben, second)).left, `${bob.handle}/second`);
      const removed = await call('leave', observer(alice, room), { member: ben.address });
      assert.equal(removed.left, ben.address);
      await refused('not_in_room', call('inbox', ben, {}));
      await refused('forbidden', call('members', observer(bob, room), {}));
    },
  },
];
