// Scenarios of chats on the web: as whom they act, what they are told in which portions.
import assert from 'node:assert/strict';
import { operations } from '../../protocol/operations/index.ts';
import { callTool, joinAsChat, refusedTool } from '../chat.ts';
import { ChatHost } from '../client.ts';
import { overMcp, type Scenario } from '../scenario.ts';
import { emptyWorkspace, type McpWorld, newConversation, newId } from '../world.ts';

/** Something unread, and what it is. */
async function fill(world: McpWorld, bodies: readonly string[]) {
  const { newRoom, call, alice, bob } = world;
  const room = await newRoom(alice);
  const [reader, writer] = [
    await joinAsChat(world, alice, room),
    await joinAsChat(world, bob, room),
  ];
  const sent = [];
  for (const body of bodies) {
    sent.push(await call('send', writer.caller, { id: newId('m_'), to: [reader.address], body }));
  }
  return { room, reader, writer, sent };
}

export const chatScenarios: readonly Scenario<McpWorld>[] = [
  {
    title: 'each join is a new conversation of its own host, without a workspace',
    cites: [
      ...(['mcp.conversation', 'mcp.new-conversation', 'mcp.host', 'join.joined'] as const),
      ...(['join.name-proposed', 'view.member', 'members.order', 'limit.intro'] as const),
    ],
    bindings: overMcp,
    async play(world) {
      const { newRoom, alice } = world;
      const room = await newRoom(alice);
      const intro = `${'x'.repeat(999)}😀`;
      const chats = [];
      for (const host of [...ChatHost.options, 'web'] as const) {
        const join = { name: ` A Chat of ${host}! `, intro: ` ${intro} ` };
        chats.push(await joinAsChat(world, alice, room, { host, join }));
      }
      assert.equal(new Set(chats.map(({ handle }) => handle)).size, 4);
      const expected = ['web', 'claude-web', 'chatgpt-web', 'web-2'];
      const last = chats.at(-1);
      const { structured } = last === undefined ? {} : await last.act('members');
      const { members } = operations.members.output.parse(structured);
      assert.deepEqual(
        members.map(({ address, host, workspace, me, intro: said }) => [
          ...[address, host, workspace, me, said],
        ]),
        expected.map((name, at) => [
          `${alice.handle}/a-chat-of-${name}`,
          name.replace(/-2$/, ''),
          emptyWorkspace,
          at === 3,
          intro,
        ]),
      );
      const joined = operations.join.output.parse(last?.joined.structured);
      assert.deepEqual(
        [joined.outcome, joined.unread, joined.room.id, joined.history.length],
        ['joined', 0, room.id, 4],
      );
      for (const wrong of ['', ' ', `${intro}x`]) {
        const args = { room: room.code, intro: wrong };
        refusedTool('invalid_input', await callTool(world, alice, 'join', args));
      }
    },
  },
  {
    title: 'a handle is good for its own account and its own host alone',
    cites: ['member.match', 'mcp.errors', 'mcp.conversation'],
    bindings: overMcp,
    needs: ['two-accounts'],
    async play(world) {
      const { newRoom, alice, bob } = world;
      const room = await newRoom(alice);
      const [chat, other] = [
        await joinAsChat(world, alice, room),
        await joinAsChat(world, bob, room),
      ];
      const made = `${room.id}.c_${'0'.repeat(26)}`;
      for (const tool of ['members', 'inbox', 'history', 'leave']) {
        for (const attempt of [
          callTool(world, bob, tool, { conversation: chat.handle }),
          callTool(world, alice, tool, { conversation: chat.handle }, 'claude-web'),
          callTool(world, alice, tool, { conversation: other.handle }),
          callTool(world, alice, tool, { conversation: made }),
        ]) {
          refusedTool('not_in_room', await attempt);
        }
        refusedTool('invalid_input', await callTool(world, alice, tool));
      }
      assert.equal((await chat.act('members')).isError, false);
    },
  },
  {
    title: 'structured content is what the operation gives',
    cites: ['mcp.structured', 'view.unread-from-me', 'inbox.upto'],
    bindings: overMcp,
    needs: ['two-accounts'],
    async play(world) {
      const { call } = world;
      const { reader, writer, sent } = await fill(world, ['one', 'two']);
      const { note: _, ...members } = (await writer.act('members')).structured ?? {};
      const parsed = operations.members.output.strict().parse(members);
      assert.deepEqual(
        parsed.members.map(({ unreadFromMe }) => unreadFromMe),
        [2, 0],
      );
      const { note: __, ...inbox } = (await reader.act('inbox')).structured ?? {};
      const batch = operations.inbox.output.strict().parse(inbox);
      assert.deepEqual([batch.upTo, batch.remaining], [sent.at(-1)?.seq, null]);
      const { note: ___, ...history } = (await reader.act('history')).structured ?? {};
      assert.deepEqual(history, await call('history', reader.caller, {}));
      assert.ok(batch.messages.every(({ id }) => JSON.stringify(history).includes(id)));
      const again = operations.members.output.parse((await writer.act('members')).structured);
      assert.equal(again.members[0]?.unreadFromMe, 0);
    },
  },
  {
    title: 'an inbox comes in batches, each saying what remains, all of it once and in order',
    cites: ['limit.inbox', 'view.unread', 'inbox.upto', 'tools.remaining', 'send.named'],
    bindings: overMcp,
    needs: ['two-accounts'],
    async play(world) {
      const long = 'x'.repeat(60 * 1024);
      const bodies = [...Array.from({ length: 22 }, (_, at) => `message ${at}`), long];
      const { reader, writer, sent } = await fill(world, bodies);
      const read: string[] = [];
      for (let remaining: number | undefined = bodies.length; remaining !== undefined; ) {
        const { structured, text } = await reader.act('inbox');
        const batch = operations.inbox.output.parse(structured);
        const { messages } = batch;
        assert.ok(messages.length >= 1 && messages.length <= 20);
        read.push(...messages.map(({ body }) => body));
        assert.equal(batch.upTo, messages.at(-1)?.seq);
        remaining = batch.remaining?.unread;
        assert.equal(remaining ?? 0, bodies.length - read.length);
        if (batch.remaining === null) assert.match(text, /\n\nNothing else is unread\.$/);
        else {
          assert.deepEqual(batch.remaining.from, [writer.address]);
          assert.equal(batch.remaining.upTo, sent.at(-1)?.seq);
          assert.match(
            text.split('\n').at(-1) ?? '',
            new RegExp(`${remaining}.*${writer.address}`),
          );
        }
      }
      assert.deepEqual(read, bodies);
      assert.equal((await reader.act('inbox')).text, 'The inbox is empty.');
    },
  },
  {
    title: 'the history of a chat comes in pages down to its beginning',
    cites: ['limit.history', 'history.pages'],
    bindings: overMcp,
    needs: ['two-accounts'],
    async play(world) {
      const bodies = Array.from({ length: 33 }, (_, at) => `message ${at}`);
      const { reader } = await fill(world, bodies);
      const seen: number[] = [];
      const texts: string[] = [];
      for (let before: number | null | undefined; before !== null; ) {
        const { structured } = await reader.act('history', before === undefined ? {} : { before });
        const page = operations.history.output.parse(structured);
        const seqs = page.messages.map(({ seq }) => seq);
        assert.ok(seqs.length >= 1 && seqs.length <= 30);
        assert.ok(before === undefined || seqs.every((seq) => seq < Number(before)));
        assert.deepEqual([null, seqs[0]].includes(page.nextBefore), true);
        seen.unshift(...seqs);
        texts.unshift(...page.messages.map(({ body }) => body));
        before = page.nextBefore;
      }
      assert.deepEqual(
        seen,
        seen.toSorted((a, b) => a - b),
      );
      assert.deepEqual(texts.slice(-bodies.length), bodies);
      assert.equal(texts.length, bodies.length + 2);
    },
  },
  {
    title: 'an owner’s chat changes its room, nobody else’s does',
    cites: ['update-room.changes', 'update-room.something', 'update-room.owner'],
    bindings: overMcp,
    needs: ['two-accounts'],
    async play(world) {
      const { newRoom, alice, bob } = world;
      const room = await newRoom(alice, { description: 'before' });
      const [chat, other] = [
        await joinAsChat(world, alice, room),
        await joinAsChat(world, bob, room),
      ];
      const changed = await chat.act('update_room', { description: ' after ' });
      const { id, name, code } = room;
      const summary = { id, name, description: 'after', role: 'owner', code };
      assert.deepEqual(changed.structured, summary);
      refusedTool('invalid_input', await chat.act('update_room'));
      refusedTool('forbidden', await other.act('update_room', { name: 'Mine' }));
      const { structured } = await chat.act('update_room', { rotateCode: true });
      assert.notEqual(structured?.['code'], code);
      const late = { room: code, intro: 'Late.' };
      refusedTool('no_such_room', await callTool(world, bob, 'join', late));
    },
  },
  {
    title: 'a join lists the account’s offline members, and the words that continue one',
    cites: ['join.offline', 'tools.offline'],
    bindings: overMcp,
    async play(world) {
      const { call, newRoom, alice } = world;
      const room = await newRoom(alice);
      const { code } = room;
      const here = { account: alice, host: 'codex', conversation: newConversation() } as const;
      const gone = { code, intro: 'x', name: 'gone', workspace: emptyWorkspace };
      await call('join', here, gone);
      const { joined } = await joinAsChat(world, alice, room);
      assert.deepEqual(joined.structured?.['offline'], [`${alice.handle}/gone`]);
      assert.match(joined.text, /None was continued/);
      assert.ok(joined.text.endsWith(`\n- join ${code} as gone`), joined.text);
      const next = await joinAsChat(world, alice, room, { join: { as: 'gone' } });
      assert.equal(next.joined.structured?.['outcome'], 'continued');
    },
  },
  {
    title: 'a chat’s token opens no operation',
    cites: ['http.connector-token'],
    bindings: overMcp,
    async play({ http, alice }) {
      const token = await alice.connectorToken?.('web');
      const headers = { authorization: `Bearer ${token}` };
      const { status, text } = await http({ path: '/v1/status', headers, body: '{}' });
      assert.equal(status, 401);
      assert.match(text, /"code":"not_logged_in"/);
    },
  },
];
