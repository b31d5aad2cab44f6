// Scenarios of joining: new members and their names, repeats, other rooms, places, wrong codes.
import assert from 'node:assert/strict';
import { newHandle } from '../local-accounts.ts';
import { refused } from '../refused.ts';
import { everyBinding, overHttp, type Scenario } from '../scenario.ts';
import { addressesOf, bodiesOf, emptyWorkspace, newConversation, observer } from '../world.ts';

const membersPerRoom = 50;
const joinAttempts = 10;
const joinWindowSeconds = 600;

export const joinScenarios: readonly Scenario[] = [
  {
    title: 'a join tells the room, the member, who is there, and what was said',
    cites: [
      'join.joined',
      'join.intro',
      'join.present',
      'view.member',
      'ids.made',
      'members.order',
    ],
    bindings: overHttp,
    needs: ['two-accounts'],
    async play({ call, newRoom, join, say, alice, bob }) {
      const room = await newRoom(alice, { name: 'Hub', description: 'Read this first.' });
      const hourAgo = Date.now() - 3_600_000;
      const workspace = { repo: 'tandry', branch: 'main' };
      const first = { name: 'Hub refactor', intro: ' Moves the Hub. ', workspace };
      const ann = await join(alice, room, { host: 'claude', ...first });
      assert.equal(ann.address, `${alice.handle}/hub-refactor`);
      await say(ann, { body: 'Before you came.' });
      const { joined } = await join(bob, room, { host: 'codex', name: 'tests' });

      assert.deepEqual(joined.room, { id: room.id, name: 'Hub', description: 'Read this first.' });
      assert.equal(joined.member, `${bob.handle}/tests`);
      assert.deepEqual([joined.outcome, joined.unread, joined.offline], ['joined', 0, []]);
      const [one, two] = joined.members;
      assert.ok(one !== undefined && two !== undefined && joined.members.length === 2);
      const { lastActiveAt, joinedAt, ...shown } = one;
      assert.deepEqual(shown, {
        address: ann.address,
        host: 'claude',
        workspace,
        intro: 'Moves the Hub.',
        state: 'offline',
        tier: 'push',
        wakeable: false,
        unreadFromMe: 0,
        me: false,
      });
      assert.ok(joinedAt > hourAgo && lastActiveAt >= joinedAt);
      assert.deepEqual([two.address, two.me], [joined.member, true]);

      const [posted, said, own] = joined.history;
      assert.deepEqual(bodiesOf(joined.history), ['Moves the Hub.', 'Before you came.', own?.body]);
      assert.ok(posted !== undefined);
      assert.match(posted.id, /^m_[0-9abcdefghjkmnpqrstvwxyz]{26}$/);
      const { kind, from, fromHost, to, toRoom, visibility } = posted;
      assert.deepEqual(
        { kind, from, fromHost, to, toRoom, visibility },
        {
          kind: 'intro',
          from: ann.address,
          fromHost: 'claude',
          to: [],
          toRoom: false,
          visibility: 'room',
        },
      );
      assert.deepEqual([said?.kind, own?.kind], ['text', 'intro']);
      assert.deepEqual((await call('inbox', ann, {})).messages, []);
    },
  },
  {
    title: 'a new member starts at the present',
    cites: ['join.present', 'send.room'],
    bindings: everyBinding,
    needs: ['two-accounts'],
    async play({ newRoom, join, say, take, alice, bob }) {
      const room = await newRoom(alice);
      const ann = await join(alice, room);
      await say(ann, { to: '@room', body: 'early' });
      const ben = await join(bob, room);
      assert.equal(ben.joined.unread, 0);
      assert.ok(bodiesOf(ben.joined.history).includes('early'));
      assert.deepEqual((await take(ben)).messages, []);
      await say(ann, { to: '@room', body: 'late' });
      assert.deepEqual(bodiesOf((await take(ben)).messages), ['late']);
    },
  },
  {
    title: 'a member is named as proposed, else after its repository, else after its host',
    cites: ['join.name-proposed', 'join.name-default', 'name.slug'],
    bindings: overHttp,
    async play({ newRoom, join, alice }) {
      const room = await newRoom(alice);
      const names: [string | undefined, string, string][] = [
        ['Réfactor the Hub!', '', 'refactor-the-hub'],
        ['-- x --', 'repo', 'x'],
        [`${'a'.repeat(39)} b`, '', 'a'.repeat(39)],
        ['日本語', 'Tandry on AWS', 'tandry-on-aws'],
        [undefined, 'my_repo', 'my-repo'],
        ['😀', '日本語', 'codex'],
        ['9', '', '9'],
      ];
      for (const [name, repo, expected] of names) {
        const workspace = { repo, branch: '' };
        const options = { host: 'codex' as const, workspace, ...(name !== undefined && { name }) };
        const { address } = await join(alice, room, options);
        assert.equal(address, `${alice.handle}/${expected}`);
      }
      const { address } = await join(alice, room, { host: 'opencode' });
      assert.equal(address, `${alice.handle}/opencode`);
      for (const name of ['', '   ', 'x'.repeat(201)]) {
        await refused('invalid_input', join(alice, room, { name }));
      }
    },
  },
  {
    title: 'a name taken within the account gets a number, at full length too',
    cites: ['join.name-taken'],
    bindings: everyBinding,
    needs: ['two-accounts'],
    async play({ newRoom, join, alice, bob }) {
      const room = await newRoom(alice);
      const longest = 'n'.repeat(40);
      const nameOf = async (account: typeof alice, name: string) =>
        (await join(account, room, { name })).address.split('/')[1];
      const got = [];
      for (const name of ['hub', 'hub', 'hub-2', 'Hub']) got.push(await nameOf(alice, name));
      assert.deepEqual(got, ['hub', 'hub-2', 'hub-2-2', 'hub-3']);
      assert.equal(await nameOf(bob, 'hub'), 'hub');
      assert.equal(await nameOf(alice, longest), longest);
      assert.equal(await nameOf(alice, longest), `${'n'.repeat(38)}-2`);
    },
  },
  {
    title: 'intros and workspaces have their limits',
    cites: ['limit.intro', 'limit.workspace'],
    bindings: overHttp,
    async play({ newRoom, join, alice }) {
      const room = await newRoom(alice);
      const longest = '😀'.repeat(1_000);
      const workspace = { repo: 'r'.repeat(200), branch: '分'.repeat(200) };
      const { joined } = await join(alice, room, { name: 'x', intro: ` ${longest}\n`, workspace });
      assert.equal(joined.members[0]?.intro, longest);
      assert.deepEqual(joined.members[0]?.workspace, workspace);
      for (const intro of ['', ' \n', `${longest}x`]) {
        await refused('invalid_input', join(alice, room, { intro }));
      }
      for (const field of ['repo', 'branch']) {
        const tooLong = { ...emptyWorkspace, [field]: 'x'.repeat(201) };
        await refused('invalid_input', join(alice, room, { workspace: tooLong }));
      }
    },
  },
  {
    title: 'joining again from the same conversation changes and posts nothing',
    cites: ['join.reused', 'join.reused-as'],
    bindings: overHttp,
    needs: ['two-accounts'],
    async play({ call, newRoom, join, say, alice, bob }) {
      const room = await newRoom(alice);
      const ann = await join(alice, room, { name: 'ann' });
      const ben = await join(bob, room, { name: 'ben', intro: 'The first intro.' });
      await join(bob, room, { name: 'other' });
      await say(ann, { to: [ben.address], body: 'unread' });
      const before = await call('history', observer(alice, room), {});

      const { host, conversation } = ben;
      const changes = { host, conversation, name: 'another', intro: 'The second intro.' };
      const { joined } = await join(bob, room, changes);
      assert.deepEqual([joined.outcome, joined.member, joined.unread], ['reused', ben.address, 1]);
      assert.equal(joined.members.find(({ me }) => me)?.intro, 'The first intro.');
      for (const as of ['ben', ben.address]) {
        assert.equal((await join(bob, room, { ...changes, as })).joined.outcome, 'reused');
      }
      for (const as of ['other', 'nobody']) {
        await refused('already_in_room', join(bob, room, { ...changes, as }));
      }
      assert.deepEqual(await call('history', observer(alice, room), {}), before);
    },
  },
  {
    title: 'a conversation is in one room at a time',
    cites: ['join.other-room', 'errors.already-in-room'],
    bindings: overHttp,
    async play({ call, newRoom, join, alice }) {
      const first = await newRoom(alice, { name: 'The first room' });
      const second = await newRoom(alice, { name: 'The second room' });
      const ann = await join(alice, first);
      const { host, conversation } = ann;
      const { message } = await refused(
        'already_in_room',
        join(alice, second, { host, conversation }),
      );
      assert.ok(message.includes('The first room'), message);
      await join(alice, second, { host: 'claude', conversation });
      await call('leave', ann, {});
      await join(alice, second, { host, conversation });
    },
  },
  {
    title: 'of two joins of one conversation to two rooms at once one is refused',
    cites: ['join.one-of-two', 'join.other-room'],
    bindings: overHttp,
    async play({ call, newRoom, join, alice }) {
      const rooms = [await newRoom(alice), await newRoom(alice)];
      const conversation = newConversation();
      const joins = await Promise.allSettled(
        rooms.map((room) => join(alice, room, { conversation })),
      );
      assert.equal(joins.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const lost of joins) {
        if (lost.status === 'rejected') {
          await refused('already_in_room', Promise.reject(lost.reason));
        }
      }
      const rosters = rooms.map((room) => call('members', observer(alice, room), {}));
      const counts = (await Promise.all(rosters)).map(({ members }) => members.length);
      assert.deepEqual(counts.sort(), [0, 1]);
    },
  },
  {
    title: 'joins of one conversation to one room at once make one member',
    cites: ['join.reused'],
    bindings: overHttp,
    async play({ call, newRoom, join, alice }) {
      const room = await newRoom(alice);
      const conversation = newConversation();
      const joins = await Promise.all(
        Array.from({ length: 4 }, () => join(alice, room, { conversation })),
      );
      assert.equal(new Set(addressesOf(joins)).size, 1);
      const outcomes = joins.map(({ joined }) => joined.outcome).sort();
      assert.deepEqual(outcomes, ['joined', 'reused', 'reused', 'reused']);
      assert.equal((await call('members', observer(alice, room), {})).members.length, 1);
    },
  },
  {
    title: 'a join names a code, or a room if it is the website’s, and never both',
    cites: ['join.by-code', 'website.by-room'],
    bindings: overHttp,
    async play({ call, newRoom, alice }) {
      const { id: room, code } = await newRoom(alice);
      const input = { intro: 'x', workspace: emptyWorkspace };
      const codex = { account: alice, host: 'codex', conversation: newConversation() } as const;
      const site = { account: alice, host: 'website', conversation: 'site' } as const;
      for (const caller of [codex, site]) {
        await refused('invalid_input', call('join', caller, input));
        await refused('invalid_input', call('join', caller, { ...input, code, room }));
      }
      await refused('invalid_input', call('join', codex, { ...input, room }));
      await refused('invalid_input', call('join', site, { ...input, code }));
    },
  },
  {
    title: 'join shows the account’s other members that are offline',
    cites: ['join.offline', 'presence.push-offline'],
    bindings: overHttp,
    needs: ['two-accounts'],
    async play({ call, newRoom, join, joinAsWebsite, alice, bob }) {
      const room = await newRoom(alice);
      const idle = await join(alice, room, { host: 'codex', name: 'idle' });
      const gone = await join(alice, room, { host: 'codex', name: 'gone' });
      await join(alice, room, { host: 'claude-web', name: 'active' });
      await join(bob, room, { host: 'codex' });
      await joinAsWebsite(alice, room);
      await call('leave', gone, {});
      const { joined } = await join(alice, room, { host: 'claude' });
      assert.deepEqual(joined.offline, [idle.address]);
    },
  },
  {
    title: 'a room has 50 members, without the website’s, and a place given back can be taken',
    cites: ['limit.members'],
    bindings: everyBinding,
    async play({ call, newRoom, join, joinAsWebsite, alice }) {
      const room = await newRoom(alice);
      await joinAsWebsite(alice, room);
      const first = await join(alice, room);
      for (let count = 1; count < membersPerRoom; count += 1) await join(alice, room);
      await refused('limit_reached', join(alice, room));
      const continued = await join(alice, room, { as: first.address });
      assert.equal(continued.joined.outcome, 'continued');
      await call('leave', continued, {});
      await join(alice, room);
      await refused('limit_reached', join(alice, room));
      const { members } = await call('members', observer(alice, room), {});
      assert.equal(members.length, membersPerRoom + 1);
    },
  },
  {
    title: 'ten wrong codes in ten minutes stop an account’s joins, and nobody else’s',
    cites: ['limit.join-attempts', 'errors.retry-after', 'join.no-such-room'],
    bindings: everyBinding,
    needs: ['new-accounts'],
    async play({ newRoom, join, newAccount, alice }) {
      const room = await newRoom(alice);
      const wrong = { ...room, code: '2222-2222' };
      const guesser = await newAccount(newHandle());
      const member = await join(guesser, room);
      for (let attempt = 0; attempt < joinAttempts; attempt += 1) {
        await refused('no_such_room', join(guesser, wrong));
      }
      for (const tried of [wrong, room]) {
        const { data } = await refused('rate_limited', join(guesser, tried));
        const seconds = data?.retryAfterSeconds ?? 0;
        assert.ok(seconds > 0 && seconds <= joinWindowSeconds, `${seconds} s`);
      }
      await join(alice, room);
      assert.equal(member.joined.outcome, 'joined');
    },
  },
];
