// Scenarios of accounts and rooms: status, handles, making, changing and deleting rooms.
import assert from 'node:assert/strict';
import { newHandle } from '../local-accounts.ts';
import { refused } from '../refused.ts';
import { everyBinding, overHttp, type Scenario } from '../scenario.ts';
import { emptyWorkspace, newConversation, newId, observer } from '../world.ts';

const shownCode = /^[2-9A-HJ-NP-Z]{4}-[2-9A-HJ-NP-Z]{4}$/;
const intro = { intro: 'Looks in.', workspace: emptyWorkspace };

export const roomScenarios: readonly Scenario[] = [
  {
    title: 'a new room has a code, is its account’s, and nobody has joined it',
    cites: ['new-room.made', 'new-room.not-joined', 'code.form', 'view.room', 'status.account'],
    bindings: everyBinding,
    async play({ call, newRoom, alice }) {
      const room = await newRoom(alice, { name: 'Hub', description: 'What it is for.' });
      assert.equal(room.name, 'Hub');
      assert.match(room.code, shownCode);
      const { account, rooms } = await call('status', { account: alice }, {});
      assert.deepEqual(account, { id: alice.id, handle: alice.handle });
      const { id, name, code } = room;
      assert.deepEqual(
        rooms.find((it) => it.id === id),
        { id, name, description: 'What it is for.', role: 'owner', code },
      );
      assert.deepEqual((await call('members', observer(alice, room), {})).members, []);
      assert.deepEqual(await call('history', observer(alice, room), {}), {
        messages: [],
        nextBefore: null,
      });
    },
  },
  {
    title: 'making a room again gives the same room, and another account cannot have its ID',
    cites: ['new-room.repeat', 'new-room.foreign'],
    bindings: overHttp,
    needs: ['two-accounts'],
    async play({ call, newRoom, alice, bob }) {
      const { id, name, code } = await newRoom(alice);
      const again = { id, name, description: '' };
      assert.deepEqual(await call('new_room', { account: alice }, again), { id, name, code });
      await refused('invalid_input', call('new_room', { account: bob }, again));
      const { rooms } = await call('status', { account: bob }, {});
      assert.ok(rooms.every((room) => room.id !== id));
    },
  },
  {
    title: 'names and descriptions of rooms are trimmed and limited, counted in characters',
    cites: ['limit.room-name', 'limit.description'],
    bindings: everyBinding,
    async play({ call, newRoom, alice }) {
      const name = '😀'.repeat(80);
      const description = '😀'.repeat(500);
      const { id } = await newRoom(alice, { name: ` ${name}\n`, description: `\t${description} ` });
      const { rooms } = await call('status', { account: alice }, {});
      const made = rooms.find((room) => room.id === id);
      assert.deepEqual([made?.name, made?.description], [name, description]);
      const wrong = [
        { name: '', description: '' },
        { name: ' \n ', description: '' },
        { name: 'x'.repeat(81), description: '' },
        { name: 'x', description: 'x'.repeat(501) },
      ];
      for (const about of wrong) {
        const room = { id: newId('r_'), ...about };
        await refused('invalid_input', call('new_room', { account: alice }, room));
        const update = { room: id, ...about, description: about.description };
        await refused('invalid_input', call('update_room', { account: alice }, update));
      }
    },
  },
  {
    title: 'IDs of clients are accepted in their whole range of lengths and nothing else',
    cites: ['ids.accepted'],
    bindings: overHttp,
    async play({ call, newRoom, join, alice }) {
      const ann = await join(alice, await newRoom(alice));
      const unique = newId('m_').slice(2, 22);
      for (const id of [`m_${unique.slice(-8)}`, `m_${unique}${unique}`]) {
        assert.equal((await call('send', ann, { id, to: [], body: 'x' })).id, id);
      }
      const endings = [
        '',
        '1234567',
        '1'.repeat(41),
        '1234567A',
        '1234 678',
        '12345678\n',
        '1234567é',
      ];
      for (const ending of endings) {
        const id = `m_${ending}`;
        await refused('invalid_input', call('send', ann, { id, to: [], body: 'x' }));
        await refused('invalid_input', call('delete_message', ann, { id }));
        await refused(
          'invalid_input',
          call('delete_room', { account: alice }, { room: `r_${ending}` }),
        );
      }
      await refused('invalid_input', call('delete_message', ann, { id: 'r_12345678' }));
      await refused(
        'invalid_input',
        call('delete_room', { account: alice }, { room: 'm_12345678' }),
      );
    },
  },
  {
    title: 'status lists owned rooms and rooms with a present member by name, codes for the owner',
    cites: ['status.rooms', 'view.room'],
    bindings: everyBinding,
    needs: ['two-accounts'],
    async play({ call, newRoom, join, alice, bob }) {
      const names = ['Cherry', 'Apple', 'Banana'];
      const rooms = [];
      for (const name of names) rooms.push(await newRoom(alice, { name }));
      const mine = new Set(rooms.map(({ id }) => id));
      const listed = async (account: typeof alice) =>
        (await call('status', { account }, {})).rooms.filter(({ id }) => mine.has(id));

      assert.deepEqual(
        (await listed(alice)).map(({ name }) => name),
        ['Apple', 'Banana', 'Cherry'],
      );
      assert.deepEqual(await listed(bob), []);
      const [cherry, apple] = rooms;
      assert.ok(cherry !== undefined && apple !== undefined);
      await join(bob, cherry);
      const ben = await join(bob, apple);
      assert.deepEqual(await listed(bob), [
        { id: apple.id, name: 'Apple', description: '', role: 'member' },
        { id: cherry.id, name: 'Cherry', description: '', role: 'member' },
      ]);
      await call('leave', ben, {});
      assert.deepEqual(
        (await listed(bob)).map(({ name }) => name),
        ['Cherry'],
      );
    },
  },
  {
    title: 'the owner alone changes a room, and what is not given stays',
    cites: [
      'update-room.changes',
      'update-room.something',
      'update-room.owner',
      'update-room.unknown',
    ],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play({ call, newRoom, join, alice, bob, carol }) {
      const { id, code, ...made } = await newRoom(alice, { name: 'One', description: 'Two' });
      const owner = { account: alice };
      const room = { id, name: 'Three', description: 'Two', role: 'owner', code };
      assert.deepEqual(await call('update_room', owner, { room: id, name: ' Three ' }), room);
      const blank = { ...room, description: '' };
      assert.deepEqual(await call('update_room', owner, { room: id, description: '' }), blank);
      for (const nothing of [{}, { name: null, description: null, rotateCode: null }]) {
        await refused('invalid_input', call('update_room', owner, { room: id, ...nothing }));
      }
      await join(bob, { id, code, ...made });
      for (const account of [bob, carol]) {
        await refused('forbidden', call('update_room', { account }, { room: id, name: 'Mine' }));
      }
      const unknown = { room: newId('r_'), name: 'Mine' };
      await refused('not_in_room', call('update_room', owner, unknown));
    },
  },
  {
    title: 'a code rotated away opens nothing at once, and members stay',
    cites: ['update-room.rotate', 'code.form', 'join.no-such-room'],
    bindings: everyBinding,
    needs: ['two-accounts'],
    async play({ call, newRoom, join, alice, bob }) {
      const room = await newRoom(alice);
      const ben = await join(bob, room);
      const rotate = { room: room.id, rotateCode: true };
      const { code = '' } = await call('update_room', { account: alice }, rotate);
      assert.match(code, shownCode);
      assert.notEqual(code, room.code);
      await refused('no_such_room', join(bob, room));
      await call('inbox', ben, {});
      await join(bob, { ...room, code });
    },
  },
  {
    title: 'a code is accepted in any case and with anything between its letters',
    cites: ['code.compared', 'code.length'],
    bindings: everyBinding,
    async play({ call, newRoom, join, alice }) {
      const room = await newRoom(alice);
      const bare = room.code.replace('-', '');
      const forms = [
        bare,
        bare.toLowerCase(),
        ` ${[...bare].join('-')} `,
        `${room.code}\n`,
        `😀${bare}`,
      ];
      for (const code of [...forms, bare.padEnd(32, '.')]) await join(alice, { ...room, code });
      const caller = { account: alice, host: 'codex', conversation: newConversation() } as const;
      for (const code of ['', 'ABC', bare.padEnd(33, '.')]) {
        await refused('invalid_input', call('join', caller, { code, ...intro }));
      }
    },
  },
  {
    title: 'a deleted room is gone for everyone, for good, and frees its conversations',
    cites: [
      'delete-room.owner',
      'delete-room.repeat',
      'delete-room.final',
      'delete-room.code',
      'delete-room.id',
      'delete-room.frees',
    ],
    bindings: overHttp,
    needs: ['two-accounts'],
    async play({ call, newRoom, join, say, alice, bob }) {
      const room = await newRoom(alice);
      const input = { room: room.id };
      const ben = await join(bob, room);
      const { id } = await say(ben);
      await refused('forbidden', call('delete_room', { account: bob }, input));
      await call('delete_room', { account: alice }, input);
      await call('delete_room', { account: alice }, input);

      for (const caller of [ben, observer(bob, room), observer(alice, room)]) {
        await refused('not_in_room', call('members', caller, {}));
        await refused('not_in_room', call('history', caller, {}));
        await refused('not_in_room', call('leave', caller, { member: ben.address }));
        await refused('not_in_room', call('rename', caller, { member: ben.address, name: 'x' }));
        await refused('not_in_room', call('delete_message', caller, { id }));
      }
      await refused('not_in_room', call('inbox', ben, {}));
      await refused('not_in_room', call('read', ben, { upTo: 1 }));
      await refused('not_in_room', say(ben));
      await refused(
        'not_in_room',
        call('update_room', { account: alice }, { ...input, name: 'x' }),
      );
      await refused('no_such_room', join(bob, room));
      for (const account of [alice, bob]) {
        const again = { id: room.id, name: 'Again', description: '' };
        await refused('invalid_input', call('new_room', { account }, again));
        const { rooms } = await call('status', { account }, {});
        assert.ok(rooms.every((it) => it.id !== room.id));
      }
      await join(bob, await newRoom(alice), { conversation: ben.conversation });
    },
  },
  {
    title: 'deleting a room that never was is not_in_room',
    cites: ['member.unknown-room'],
    bindings: overHttp,
    async play({ call, alice }) {
      const unknown = { room: newId('r_') };
      await refused('not_in_room', call('delete_room', { account: alice }, unknown));
      await call('new_room', { account: alice }, { id: unknown.room, name: 'x', description: '' });
      await call('delete_room', { account: alice }, unknown);
    },
  },
  {
    title: 'an account without a handle makes no room and joins none',
    cites: ['refuse.no-handle', 'status.account'],
    bindings: overHttp,
    needs: ['new-accounts'],
    async play({ call, newRoom, join, newAccount, alice }) {
      const nobody = await newAccount();
      const status = await call('status', { account: nobody }, {});
      assert.deepEqual(status, { account: { id: nobody.id, handle: null }, rooms: [] });
      await refused('handle_required', newRoom(nobody));
      await refused('handle_required', join(nobody, await newRoom(alice)));
    },
  },
  {
    title: 'a handle is claimed once, is nobody else’s, and is never changed',
    cites: ['claim.once', 'claim.taken', 'status.account'],
    bindings: overHttp,
    needs: ['new-accounts'],
    async play({ call, newAccount }) {
      const first = await newAccount();
      const handle = newHandle();
      const account = { id: first.id, handle };
      assert.deepEqual(await call('claim_handle', { account: first }, { handle }), { account });
      assert.deepEqual(await call('claim_handle', { account: first }, { handle }), { account });
      const another = { handle: newHandle() };
      await refused('invalid_input', call('claim_handle', { account: first }, another));
      assert.deepEqual((await call('status', { account: first }, {})).account, account);
      const second = await newAccount();
      await refused('name_taken', call('claim_handle', { account: second }, { handle }));
      await call('claim_handle', { account: second }, another);
    },
  },
  {
    title: 'a handle has its form and is no reserved word',
    cites: ['handle.form', 'handle.reserved'],
    bindings: overHttp,
    needs: ['new-accounts'],
    async play({ call, newAccount }) {
      const account = await newAccount();
      const malformed = [
        '',
        'ab',
        'x'.repeat(25),
        '1abc',
        '_abc',
        'Abc',
        'a-bc',
        'a bc',
        'äbc',
        'abc\n',
      ];
      const reserved = ['admin', 'root', 'system', 'support', 'api', 'auth', 'login', 'settings'];
      const more = ['security', 'official', 'tandry', 'everyone', 'here', 'all'];
      for (const handle of [...malformed, ...reserved, ...more]) {
        await refused('invalid_input', call('claim_handle', { account }, { handle }));
      }
      const longest = newHandle().padEnd(24, '9');
      await call('claim_handle', { account }, { handle: longest });
    },
  },
  {
    title: 'of two accounts that claim one handle at once one gets it',
    cites: ['claim.taken'],
    bindings: overHttp,
    needs: ['new-accounts'],
    async play({ call, newAccount }) {
      const handle = newHandle();
      const both = await Promise.all([newAccount(), newAccount()]);
      const claims = await Promise.allSettled(
        both.map((account) => call('claim_handle', { account }, { handle })),
      );
      const lost = claims.filter(({ status }) => status === 'rejected');
      assert.equal(lost.length, 1);
      for (const claim of lost) {
        if (claim.status === 'rejected') await refused('name_taken', Promise.reject(claim.reason));
      }
    },
  },
  {
    title: 'rooms made with the same ID at the same time are one room',
    cites: ['new-room.repeat'],
    bindings: overHttp,
    async play({ call, newRoom, alice }) {
      const { id, name, code } = await newRoom(alice);
      const again = { id, name, description: '' };
      const calls = Array.from({ length: 4 }, () => call('new_room', { account: alice }, again));
      for (const made of await Promise.all(calls)) assert.deepEqual(made, { id, name, code });
    },
  },
];
