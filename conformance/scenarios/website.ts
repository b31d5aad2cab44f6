// Scenarios of the website's member.
import assert from 'node:assert/strict';
import { refused } from '../refused.ts';
import { overHttp, type Scenario } from '../scenario.ts';
import { addressesOf, bodiesOf, emptyWorkspace, observer } from '../world.ts';

export const websiteScenarios: readonly Scenario[] = [
  {
    title: 'the website joins by room if its account owns the room or has a member in it',
    cites: ['website.by-room', 'website.one', 'website.pull', 'presence.pull-online'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play({ newRoom, join, joinAsWebsite, alice, bob, carol }) {
      const room = await newRoom(alice);
      const { address, joined } = await joinAsWebsite(alice, room);
      assert.equal(address, `${alice.handle}/website`);
      const { host, tier, state, wakeable } = joined.members[0] ?? {};
      assert.deepEqual([host, tier, state, wakeable], ['website', 'pull', 'online', false]);
      await join(bob, room);
      assert.equal((await joinAsWebsite(bob, room)).joined.outcome, 'joined');
      await refused('forbidden', joinAsWebsite(carol, room));
      await refused('not_in_room', joinAsWebsite(alice, { ...room, id: 'r_00000000' }));
    },
  },
  {
    title: 'there is one website member per account and room, in any number of rooms',
    cites: ['website.one', 'website.many-rooms', 'join.reused'],
    bindings: overHttp,
    async play({ call, newRoom, joinAsWebsite, say, alice }) {
      const [first, second] = [await newRoom(alice), await newRoom(alice)];
      const one = await joinAsWebsite(alice, first);
      assert.equal((await joinAsWebsite(alice, first)).joined.outcome, 'reused');
      const two = await joinAsWebsite(alice, second);
      assert.equal(two.joined.outcome, 'joined');
      await say(one);
      await say(two);
      await call('leave', one, {});
      await refused('not_in_room', say(one));
      await say(two);
      assert.equal((await joinAsWebsite(alice, first)).joined.outcome, 'joined');
    },
  },
  {
    title: 'website joins at once make one member',
    cites: ['website.one'],
    bindings: overHttp,
    async play({ call, newRoom, joinAsWebsite, alice }) {
      const room = await newRoom(alice);
      const attempts = Array.from({ length: 4 }, () => joinAsWebsite(alice, room));
      const addresses = (await Promise.all(attempts)).map(({ address }) => address);
      assert.equal(new Set(addresses).size, 1);
      assert.equal((await call('members', observer(alice, room), {})).members.length, 1);
    },
  },
  {
    title: 'the website speaks under its own conversation alone',
    cites: ['website.conversation', 'member.match'],
    bindings: overHttp,
    async play({ call, newRoom, joinAsWebsite, say, alice }) {
      const room = await newRoom(alice);
      const site = await joinAsWebsite(alice, room);
      const elsewhere = { ...site, conversation: 'elsewhere' };
      await refused('not_in_room', say(elsewhere));
      await refused('not_in_room', call('inbox', elsewhere, {}));
      await refused('not_in_room', call('members', elsewhere, {}));
      const other = await newRoom(alice);
      const input = { room: other.id, intro: 'x', workspace: emptyWorkspace };
      await refused('invalid_input', call('join', elsewhere, input));
    },
  },
  {
    title: 'the website’s member sends, receives, replies and reads',
    cites: ['website.mail', 'presence.push-offline'],
    bindings: overHttp,
    needs: ['two-accounts'],
    async play({ call, newRoom, join, joinAsWebsite, say, take, alice, bob }) {
      const room = await newRoom(alice);
      const site = await joinAsWebsite(alice, room);
      const ben = await join(bob, room);
      const asked = await say(site, { to: '@room', body: 'a question' });
      assert.deepEqual(
        asked.recipients.map(({ address, state }) => [address, state]),
        [[ben.address, 'offline']],
      );
      const [question] = (await take(ben)).messages;
      assert.deepEqual([question?.from, question?.fromHost], [site.address, 'website']);
      const answered = await say(ben, { replyTo: asked.id, body: 'an answer' });
      assert.deepEqual(addressesOf(answered.recipients), [site.address]);
      const private_ = await say(ben, { to: [site.address], body: 'and a dm', dm: true });
      const { readSeq } = await call('read', site, { upTo: answered.seq });
      assert.equal(readSeq, answered.seq);
      const batch = await call('inbox', site, {});
      assert.deepEqual([bodiesOf(batch.messages), batch.upTo], [['and a dm'], private_.seq]);
      assert.deepEqual((await call('inbox', site, {})).messages, []);
    },
  },
];
