// Scenarios of replies: whom they reach, who may read them, and what may be answered.
import assert from 'node:assert/strict';
import { refused } from '../refused.ts';
import { everyBinding, type Scenario } from '../scenario.ts';
import { addressesOf, bodiesOf, meet, newId } from '../world.ts';

export const replyScenarios: readonly Scenario[] = [
  {
    title: 'a reply to a room message goes back to its sender, in the room',
    cites: ['send.reply-default', 'send.reply-visibility'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, take } = world;
      const { ann, ben, cat } = await meet(world);
      const question = await say(ann, { to: [ben.address, cat.address], body: 'a question' });
      const answer = await say(ben, { replyTo: question.id, body: 'an answer', dm: true });
      assert.deepEqual(addressesOf(answer.recipients), [ann.address]);
      const [received] = (await take(ann)).messages;
      assert.deepEqual([received?.replyTo, received?.visibility], [question.id, 'room']);
      assert.deepEqual(bodiesOf((await take(cat)).messages), ['a question']);
      assert.equal((await call('history', cat, {})).messages.at(-1)?.body, 'an answer');
    },
  },
  {
    title: 'a reply to a dm goes to all its other participants, and to nobody else',
    cites: ['send.reply-default', 'send.reply-visibility', 'send.dm'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, take, join, alice } = world;
      const { room, ann, ben, cat } = await meet(world);
      const outsider = await join(alice, room);
      const to = [ben.address, cat.address];
      const question = await say(ann, { to, body: 'a question', dm: true });
      const answer = await say(ben, { replyTo: question.id, body: 'an answer', dm: false });
      assert.deepEqual(addressesOf(answer.recipients).sort(), [ann.address, cat.address].sort());
      const [received] = (await take(ann)).messages;
      assert.deepEqual([received?.body, received?.visibility], ['an answer', 'dm']);
      assert.deepEqual(bodiesOf((await take(cat)).messages), ['a question', 'an answer']);
      assert.ok(!bodiesOf((await call('history', outsider, {})).messages).includes('an answer'));
      await call('leave', ann, {});
      const later = await say(cat, { replyTo: answer.id });
      assert.deepEqual(addressesOf(later.recipients), [ben.address]);
    },
  },
  {
    title: 'the sender of a dm that answers it reaches its recipients again',
    cites: ['send.reply-default'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { say } = world;
      const { ann, ben, cat } = await meet(world);
      const to = [ben.address, cat.address];
      const question = await say(ann, { to, dm: true });
      const more = await say(ann, { replyTo: question.id });
      assert.deepEqual(addressesOf(more.recipients).sort(), to.sort());
    },
  },
  {
    title: 'named recipients override where a reply goes, its visibility stays',
    cites: ['send.reply-explicit', 'send.reply-visibility'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, take } = world;
      const { ann, ben, cat } = await meet(world);
      const dm = await say(ann, { to: [ben.address], body: 'a dm', dm: true });
      const passedOn = await say(ben, { to: [cat.address], replyTo: dm.id, body: 'passed on' });
      assert.deepEqual(addressesOf(passedOn.recipients), [cat.address]);
      const [received] = (await take(cat)).messages;
      assert.deepEqual([received?.body, received?.visibility], ['passed on', 'dm']);
      assert.deepEqual((await take(ann)).messages, []);
      assert.ok(!bodiesOf((await call('history', ann, {})).messages).includes('passed on'));
      const said = await say(ann, { to: [ben.address] });
      const toAll = await say(ben, { to: '@room', replyTo: said.id });
      assert.deepEqual(addressesOf(toAll.recipients), [ann.address, cat.address]);
    },
  },
  {
    title: 'a reply to a room message of oneself or of someone gone is on record only',
    cites: ['send.reply-record'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say } = world;
      const { ann, ben } = await meet(world);
      const own = await say(ann, { to: [ben.address] });
      assert.deepEqual((await say(ann, { replyTo: own.id })).recipients, []);
      const theirs = await say(ben, { to: [ann.address] });
      await call('leave', ben, {});
      assert.deepEqual((await say(ann, { replyTo: theirs.id })).recipients, []);
    },
  },
  {
    title: 'a dm whose other participants are gone cannot be answered',
    cites: ['send.dm-alone'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, join, bob } = world;
      const { room, ann, ben } = await meet(world);
      const dm = await say(ann, { to: [ben.address], dm: true });
      await call('leave', ben, {});
      await refused('invalid_input', say(ann, { replyTo: dm.id }));
      const again = await join(bob, room, { name: 'ben' });
      assert.equal(again.address, ben.address);
      await refused('invalid_input', say(ann, { replyTo: dm.id }));
      await refused('no_such_message', say(again, { replyTo: dm.id }));
    },
  },
  {
    title: 'only a message of this room that the sender may read is answered',
    cites: ['send.reply-unknown', 'send.recipients-first', 'send.dm'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say, newRoom, join, alice } = world;
      const { ann, ben, cat } = await meet(world);
      const elsewhere = await say(await join(alice, await newRoom(alice)));
      const dm = await say(ann, { to: [ben.address], dm: true });
      const { seq } = await say(cat);
      for (const replyTo of [newId('m_'), elsewhere.id, dm.id]) {
        await refused('no_such_message', say(cat, { replyTo }));
        await refused('no_such_message', say(cat, { replyTo, to: [ann.address] }));
      }
      await refused('invalid_input', say(cat, { replyTo: 'no ID' }));
      const nobody = { replyTo: newId('m_'), to: ['nobody_known/x'] };
      await refused('no_such_member', say(cat, nobody));
      assert.equal((await say(cat)).seq, seq + 1);
      assert.deepEqual((await call('inbox', ann, {})).messages, []);
    },
  },
  {
    title: 'the whole room is no recipient of a dm',
    cites: ['send.room-dm'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { say } = world;
      const { ann, ben } = await meet(world);
      await refused('invalid_input', say(ann, { to: '@room', dm: true }));
      const dm = await say(ann, { to: [ben.address], dm: true });
      await refused('invalid_input', say(ben, { to: '@room', replyTo: dm.id }));
      await refused('invalid_input', say(ben, { to: '@room', replyTo: dm.id, dm: false }));
      const said = await say(ann, { to: [ben.address] });
      await say(ben, { to: '@room', replyTo: said.id, dm: true });
    },
  },
  {
    title: 'an intro is answered like any room message',
    cites: ['send.reply-default', 'join.intro'],
    bindings: everyBinding,
    needs: ['three-accounts'],
    async play(world) {
      const { call, say } = world;
      const { ann, ben } = await meet(world);
      const { messages } = await call('history', ann, {});
      const intro = messages.find(({ from }) => from === ben.address);
      assert.equal(intro?.kind, 'intro');
      const welcome = await say(ann, { replyTo: intro?.id });
      assert.deepEqual(addressesOf(welcome.recipients), [ben.address]);
    },
  },
];
