// Scenarios of deleting messages.
import assert from 'node:assert/strict';
import { refused } from '../refused.ts';
import { overHttp, type Scenario } from '../scenario.ts';
import { bodiesOf, meet, newId, observer } from '../world.ts';

export const deletingScenarios: readonly Scenario[] = [
  {
    title: 'a deleted message keeps its header alone and leaves every inbox and count',
    cites: ['delete.clears', 'delete.inbox', 'delete.repeat', 'view.unread-from-me'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, alice } = world;
      const { room, ann, ben } = await meet(world);
      const meta = { thread: 'x' };
      const message = await say(ann, { to: [ben.address], body: 'a mistake', meta });
      const kept = await say(ann, { to: [ben.address], body: 'kept' });
      await call('delete_message', ann, { id: message.id });
      await call('delete_message', ann, { id: message.id });
      await call('delete_message', observer(alice, room), { id: message.id });
      for (const caller of [ann, ben, observer(alice, room)]) {
        const { messages } = await call('history', caller, {});
        const tombstone = messages.find(({ id }) => id === message.id);
        assert.ok(tombstone !== undefined);
        const { body, from, to, seq, kind } = tombstone;
        assert.deepEqual(
          { body, from, to, seq, kind },
          { body: '', from: ann.address, to: [ben.address], seq: message.seq, kind: 'text' },
        );
        assert.equal(tombstone.meta, undefined);
        assert.ok((tombstone.deletedAt ?? 0) >= tombstone.createdAt);
      }
      const batch = await call('inbox', ben, {});
      assert.deepEqual([bodiesOf(batch.messages), batch.upTo], [['kept'], kept.seq]);
      const { members } = await call('members', ann, {});
      assert.equal(members.find(({ address }) => address === ben.address)?.unreadFromMe, 1);
    },
  },
  {
    title: 'a deletion makes the newest unread message no longer remaining',
    cites: ['delete.inbox', 'view.unread'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say } = world;
      const { ann, ben, cat } = await meet(world);
      const to = [ben.address];
      for (let count = 0; count < 21; count += 1) await say(ann, { to });
      const only = await say(cat, { to });
      const remaining = async () => (await call('inbox', ben, {})).remaining;
      const before = await remaining();
      assert.deepEqual([before?.unread, before?.upTo], [2, only.seq]);
      await call('delete_message', cat, { id: only.id });
      assert.deepEqual(await remaining(), { unread: 1, upTo: only.seq - 1, from: [ann.address] });
    },
  },
  {
    title: 'a repeat of the send does not bring a deleted message back',
    cites: ['delete.no-return', 'send.repeat'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call } = world;
      const { ann, ben } = await meet(world);
      const message = { id: newId('m_'), to: [ben.address], body: 'a mistake' };
      const first = await call('send', ann, message);
      await call('delete_message', ann, { id: message.id });
      assert.equal((await call('send', ann, message)).seq, first.seq);
      await refused('invalid_input', call('send', ann, { ...message, body: 'another' }));
      assert.deepEqual((await call('inbox', ben, {})).messages, []);
      const { messages } = await call('history', ben, {});
      const tombstones = messages.filter(({ id }) => id === message.id);
      assert.deepEqual(bodiesOf(tombstones), ['']);
    },
  },
  {
    title: 'only the account whose member said a message deletes it',
    cites: ['delete.own', 'delete.unknown'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, join, newRoom, alice, bob, carol } = world;
      const { room, ann, ben, cat } = await meet(world);
      const { id } = await say(ben, { to: [cat.address], body: 'of ben' });
      for (const caller of [ann, cat, observer(alice, room), observer(carol, room)]) {
        await refused('forbidden', call('delete_message', caller, { id }));
      }
      const dm = await say(ben, { to: [cat.address], dm: true });
      await refused('forbidden', call('delete_message', cat, { id: dm.id }));
      const elsewhere = await join(bob, await newRoom(bob));
      for (const [caller, unseen] of [
        [ann, dm.id],
        [observer(alice, room), dm.id],
        [ben, newId('m_')],
        [elsewhere, id],
      ] as const) {
        await refused('no_such_message', call('delete_message', caller, { id: unseen }));
      }
      const second = await join(bob, room);
      await call('delete_message', second, { id });
      await call('leave', ben, {});
      await call('delete_message', observer(bob, room), { id: dm.id });
      const { messages } = await call('history', cat, {});
      assert.equal(messages.filter(({ deletedAt }) => deletedAt !== undefined).length, 2);
    },
  },
  {
    title: 'deleting an intro blanks it in the member list, unless it has been replaced since',
    cites: ['delete.intro'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play(world) {
      const { call, join, bob, carol } = world;
      const { room, ann, ben, cat } = await meet(world);
      const { messages } = await call('history', ann, {});
      const introOf = async (address: string) =>
        (await call('members', ann, {})).members.find((it) => it.address === address)?.intro;
      const idOf = (address: string) => messages.find(({ from }) => from === address)?.id ?? '';
      await call('delete_message', ben, { id: idOf(ben.address) });
      assert.equal(await introOf(ben.address), '');
      await join(carol, room, { as: 'cat', intro: 'Another one.' });
      await call('delete_message', observer(carol, room), { id: idOf(cat.address) });
      assert.equal(await introOf(cat.address), 'Another one.');
      assert.notEqual(bob.handle, carol.handle);
    },
  },
];
