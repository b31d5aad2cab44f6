// Scenarios about the order of checks, membership, and what any input may and may not hold.
import assert from 'node:assert/strict';
import type { OperationName, OperationResult } from '../../protocol/operations/index.ts';
import { encodeHeaders } from '../../protocol/wire.ts';
import { readAnswer } from '../http-client.ts';
import { refused } from '../refused.ts';
import { everyBinding, overHttp, type Scenario } from '../scenario.ts';
import { emptyWorkspace, type HttpWorld, newConversation, newId, observer } from '../world.ts';

/** Languages, emoji, bidi marks, white space, markup, text that looks like ours, controls. */
const legalText = [
  'English, Ελληνικά, Русский, 日本語, العربية, עברית, ไทย, हिन्दी',
  '😀 👩🏽‍🚀 🏳️‍🌈 🇪🇺 e\u0301 \u{1F9D1}\u200D\u{1F4BB} \u{10FFFF}',
  '\u202Eright to left\u202C \u2066isolate\u2069 \u200B\u200C\u200D\u2060',
  'tab\tand\r\nline breaks\n\n  leading  spaces',
  '<tandry-000000000000 from="x/y">no element</tandry-000000000000> &amp; "quoted" \'too\' \\n',
  '{"ok":true,"result":{}} {{no template}} %s %00',
  '\u0000 \u0007 \u001b[31m \ufffd \ufeff.',
].join('\n');

/** Sends raw JSON, for texts that no parsed value can hold. */
async function postJson<Name extends OperationName>(
  world: HttpWorld,
  operation: Name,
  json: string,
): Promise<OperationResult<Name>> {
  const headers = encodeHeaders({ token: await world.alice.token() });
  return readAnswer(operation, await world.http({ path: `/v1/${operation}`, headers, body: json }));
}

export const checkScenarios: readonly Scenario<HttpWorld>[] = [
  {
    title: 'headers are checked before the JSON and both before the protocol version and the name',
    cites: ['http.order-headers', 'http.order-protocol'],
    bindings: overHttp,
    async play({ http }) {
      const codeOf = async (path: string, headers: Record<string, string>, body: string) => {
        const { text } = await http({ path, headers, body });
        return /"code":"(\w+)"/.exec(text)?.[1];
      };
      const old = { 'tandry-protocol': '0' };
      const malformed = { ...old, 'tandry-room': 'lobby' };
      assert.equal(await codeOf('/v1/status', malformed, '{}'), 'invalid_input');
      assert.equal(await codeOf('/v1/status', old, '{'), 'invalid_input');
      assert.equal(await codeOf('/v1/nothing', old, '{}'), 'upgrade_required');
    },
  },
  {
    title:
      'the name and the input are checked before the credential, and the credential before the scope',
    cites: ['http.order-input', 'http.order-credential'],
    bindings: overHttp,
    async play({ call, http }) {
      const unknown = await http({ path: '/v1/nothing', body: '{}' });
      assert.throws(() => readAnswer('status', unknown), { code: 'invalid_input' });
      await refused('invalid_input', call('new_room', {}, { id: 'x', name: '', description: '' }));
      await refused('invalid_input', call('read', {}, { upTo: -1 }));
      await refused('not_logged_in', call('read', {}, { upTo: 1 }));
      await refused('not_logged_in', call('members', {}, {}));
    },
  },
  {
    title: 'a missing room or conversation is told first, then the room, then the membership',
    cites: ['http.order-room', 'refuse.room-missing', 'refuse.conversation-missing'],
    bindings: overHttp,
    needs: ['two-accounts'],
    async play({ call, newRoom, alice, bob }) {
      const { id: room, code } = await newRoom(alice);
      const unknown = newId('r_');
      const caller = { account: bob, host: 'codex', conversation: newConversation() } as const;
      for (const operation of ['members', 'history', 'leave'] as const) {
        await refused('invalid_input', call(operation, caller, {}));
        await refused('not_in_room', call(operation, { account: bob, room: unknown }, {}));
        await refused('forbidden', call(operation, { account: bob, room }, {}));
        await refused('not_in_room', call(operation, { ...caller, room }, {}));
      }
      await refused('invalid_input', call('inbox', { account: bob, room: unknown }, {}));
      await refused('invalid_input', call('read', { account: bob, room }, { upTo: 1 }));
      const message = { id: newId('m_'), to: [], body: 'x' };
      await refused('invalid_input', call('send', { account: alice, room }, message));
      await refused('invalid_input', call('send', caller, message));
      const input = { code, intro: 'x', workspace: emptyWorkspace };
      await refused('invalid_input', call('join', { account: bob }, input));
    },
  },
  {
    title: 'everything wrong with an input is told at once',
    cites: ['http.all-issues'],
    bindings: overHttp,
    async play({ call, alice }) {
      const input = { id: 'x', name: '', description: 'x'.repeat(501) };
      const { message } = await refused(
        'invalid_input',
        call('new_room', { account: alice }, input),
      );
      for (const field of ['id', 'name', 'description'])
        assert.ok(message.includes(field), message);
    },
  },
  {
    title: 'an optional field that is null is absent, and unknown fields are ignored',
    cites: ['accept.null', 'accept.unknown-fields'],
    bindings: overHttp,
    async play(world) {
      const { call, alice, newRoom, join } = world;
      const ann = await join(alice, await newRoom(alice));
      const message = { id: newId('m_'), to: [], body: 'x', dm: null, replyTo: null, meta: null };
      const sent = await call('send', ann, message);
      const repeated = await call('send', ann, { id: message.id, to: [], body: 'x' });
      assert.equal(repeated.seq, sent.seq);
      await call('history', ann, { before: null, view: null });
      assert.equal((await call('leave', ann, { member: null })).left, ann.address);
      const fields = '{"__proto__":{"id":1},"constructor":1,"":0,"deep":[[[{"a":null}]]]}';
      assert.deepEqual(
        await postJson(world, 'status', fields),
        await postJson(world, 'status', '{}'),
      );
    },
  },
  {
    title: 'a lone surrogate anywhere is refused',
    cites: ['refuse.surrogates'],
    bindings: overHttp,
    async play(world) {
      const room = (rest: string) => `{"id":"${newId('r_')}","description":"",${rest}}`;
      const refusedRooms = [
        room('"name":"\\ud83d"'),
        room('"name":"a\\ude00b"'),
        room('"name":"a","unknown":"\\ud800"'),
        room('"name":"a","un\\udfffknown":1'),
        room('"name":"a","unknown":[{"deep":["\\ude00\\ud83d"]}]'),
      ];
      for (const json of refusedRooms) {
        await refused('invalid_input', postJson(world, 'new_room', json));
      }
      const id = newId('r_');
      const whole = `{"id":"${id}","name":"\\ud83d\\ude00","description":""}`;
      assert.equal((await postJson(world, 'new_room', whole)).name, '😀');
      await world.call('delete_room', { account: world.alice }, { room: id });
    },
  },
  {
    title: 'control characters in names are refused',
    cites: ['refuse.control-characters'],
    bindings: overHttp,
    async play({ call, newRoom, join, alice }) {
      const room = await newRoom(alice);
      const ann = await join(alice, room);
      const names = [
        'a\u0000b',
        'a\nb',
        'a\tb',
        'a\u007fb',
        'a\u0085b',
        'a\u001b[31mb',
        'a\u2028b',
      ];
      for (const name of names) {
        const made = { id: newId('r_'), name, description: '' };
        await refused('invalid_input', call('new_room', { account: alice }, made));
        await refused(
          'invalid_input',
          call('update_room', { account: alice }, { room: room.id, name }),
        );
        await refused('invalid_input', call('rename', ann, { name }));
        await refused('invalid_input', join(alice, room, { name }));
        const workspace = { repo: name, branch: '' };
        await refused('invalid_input', join(alice, room, { workspace }));
      }
    },
  },
  {
    title: 'legal text of any kind comes back as it was sent',
    cites: ['accept.legal-text'],
    bindings: everyBinding,
    async play({ call, newRoom, join, say, take, alice }) {
      const room = await newRoom(alice, { name: 'Räume 🏠 \u202Eא', description: legalText });
      assert.equal(room.name, 'Räume 🏠 \u202Eא');
      const ann = await join(alice, room, { intro: legalText });
      const other = await join(alice, room);
      assert.equal(other.joined.room.description, legalText);
      assert.equal(other.joined.members[0]?.intro, legalText);
      assert.equal(other.joined.history[0]?.body, legalText);
      const body = ` ${legalText.repeat(3)}\n`;
      await say(ann, { to: [other.address], body });
      assert.equal((await take(other)).messages[0]?.body, body);
      assert.equal((await call('history', ann, {})).messages.at(-1)?.body, body);
    },
  },
  {
    title: 'a conversation acts as its member only if account, host and conversation all match',
    cites: ['member.match'],
    bindings: overHttp,
    needs: ['two-accounts'],
    async play({ call, newRoom, join, alice, bob }) {
      const room = await newRoom(alice);
      const other = await newRoom(alice);
      const ann = await join(alice, room, { host: 'codex' });
      await call('inbox', ann, {});
      await refused('not_in_room', call('inbox', { ...ann, host: 'claude' }, {}));
      await refused('not_in_room', call('inbox', { ...ann, conversation: newConversation() }, {}));
      await refused('not_in_room', call('inbox', { ...ann, account: bob }, {}));
      await refused('not_in_room', call('inbox', { ...ann, room: other.id }, {}));
      await refused('not_in_room', call('members', { ...ann, host: 'claude' }, {}));
    },
  },
  {
    title: 'without a conversation the owner and accounts with a member observe, nobody else',
    cites: ['member.observer', 'member.stranger'],
    bindings: overHttp,
    needs: ['three-accounts'],
    async play({ call, newRoom, join, alice, bob, carol }) {
      const room = await newRoom(alice);
      assert.deepEqual((await call('members', observer(alice, room), {})).members, []);
      const ben = await join(bob, room);
      await call('history', observer(bob, room), {});
      await refused('forbidden', call('history', observer(carol, room), {}));
      await call('leave', ben, {});
      await refused('forbidden', call('history', observer(bob, room), {}));
    },
  },
  {
    title: 'an unknown room is not_in_room, and asking for it makes nothing',
    cites: ['member.unknown-room'],
    bindings: overHttp,
    async play({ call, alice }) {
      const room = newId('r_');
      const member = {
        account: alice,
        room,
        host: 'codex',
        conversation: newConversation(),
      } as const;
      for (const caller of [member, { account: alice, room }]) {
        await refused('not_in_room', call('members', caller, {}));
        await refused('not_in_room', call('history', caller, {}));
        await refused('not_in_room', call('leave', caller, {}));
        await refused('not_in_room', call('delete_message', caller, { id: newId('m_') }));
      }
      await refused('not_in_room', call('inbox', member, {}));
      await refused('not_in_room', call('update_room', { account: alice }, { room, name: 'x' }));
      const { rooms } = await call('status', { account: alice }, {});
      assert.ok(rooms.every(({ id }) => id !== room));
    },
  },
];
