// The tools as hosts see them, with the clients that hosts are built on, in both eras of MCP: what
// is listed, and a whole conversation from the first look to the goodbye.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import * as z from 'zod';
import { foreignFieldsRule } from '../../../protocol/remote-content.ts';
import { remoteTools } from '../../../protocol/tool-listing.ts';
import { instructions } from '../../../protocol/tools.ts';
import { startTestHub, type TestHub } from '../../testing/test-hub.ts';
import { createTestRoom, type TestRoom } from '../../testing/test-room.ts';
import { type Chat, handleOf, startChat } from './testing/chat.ts';
import { type Era, eras, type McpClient } from './testing/clients.ts';
import { connectorToken, serveMcp, type TestEndpoint } from './testing/serve.ts';

let hub: TestHub;
let endpoint: TestEndpoint;
let room: TestRoom;
beforeAll(async () => {
  hub = await startTestHub();
  endpoint = await serveMcp(hub);
  room = await createTestRoom(hub);
});
afterAll(async () => {
  await endpoint.close();
  await hub.close();
});

const both: readonly Era[] = ['2025-11-25', '2026-07-28'];

describe.each(both)('a host of %s', (era) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await eras[era](endpoint.url, connectorToken('owner1', 'chatgpt-web'));
  });
  afterAll(() => client.close());

  it('is told the rules of the house and that the list stays', () => {
    expect(client.protocolVersion).toBe(era);
    expect(client.instructions).toBe(instructions);
    expect(client.capabilities).toEqual({ tools: { listChanged: false } });
  });

  it('lists the ten tools with titles, hints and both schemas', async () => {
    const listed = await client.listTools();
    expect(listed.map(({ name }) => name)).toEqual([
      ...['status', 'new_room', 'update_room', 'join', 'leave', 'members', 'rename', 'send'],
      ...['inbox', 'history'],
    ]);
    expect(listed).toMatchObject(remoteTools());
  });

  it('makes a room and joins it', async () => {
    const made = await client.call('new_room', { name: `Room of ${era}`, description: 'Tests.' });
    const { code } = z.object({ code: z.string() }).parse(made.structured);
    expect(made.text).toContain(code);
    expect((await client.call('status')).text).toContain(`"Room of ${era}" (owner, code ${code})`);
    const joined = await client.call('join', { room: code, intro: 'First here.', name: 'First' });
    expect(handleOf(joined)).toMatch(/^r_[0-9a-z]{26}\.c_[0-9a-z]{26}$/);
    expect(joined.text).toMatch(`\n\nJoined the room "Room of ${era}" as owner1/first. `);
    expect(joined.structured).toMatchObject({
      conversation: handleOf(joined),
      note: foreignFieldsRule,
      member: 'owner1/first',
      outcome: 'joined',
      members: [{ host: 'chatgpt-web', workspace: { repo: '', branch: '' }, me: true }],
    });
  });
});

describe.each(both)('a conversation in %s', (era) => {
  let chat: Chat;
  let bob: Awaited<ReturnType<TestRoom['member']>>;
  beforeAll(async () => {
    bob = await room.member('bob', `codex-${era}`);
    chat = await startChat(endpoint, { account: 'owner1', code: room.code, era });
  });
  afterAll(() => chat.close());

  it('says something, hears the answer, looks back', async () => {
    const sent = await chat.act('send', { to: [bob.address], body: 'Is the build green?' });
    const { id } = z.object({ id: z.string() }).parse(sent.structured);
    expect(sent.text).toBe(
      `Sent ${id}.\n${bob.address}: offline, last active just now; ` +
        'reads it when its owner is next back in that conversation',
    );
    await hub.call('send', bob, {
      id: hub.newId('m_'),
      to: [],
      body: 'It is.',
      replyTo: id,
      meta: { urgency: 'low' },
    });
    const inbox = await chat.act('inbox');
    expect(inbox.text).toMatch(
      new RegExp(`from="${bob.address}" [^>]*reply-to="${id}"[^>]*>\nIt is\\.\n</tandry-`),
    );
    expect(inbox.text).toMatch(/\n\nNothing else is unread\.$/);
    expect(inbox.structured).toMatchObject({
      messages: [{ from: bob.address, body: 'It is.', replyTo: id }],
      remaining: null,
    });
    expect(JSON.stringify(inbox)).not.toMatch('urgency');
    expect((await chat.act('inbox')).text).toBe('The inbox is empty.');
    expect((await chat.act('history')).text).toMatch(/Is the build green\?[\s\S]*It is\./);
  });

  it('gets as structured content what the operation gives', async () => {
    const { note, ...members } = (await chat.act('members')).structured ?? {};
    expect(note).toBe(foreignFieldsRule);
    const listed = await hub.call('members', chat.caller, {});
    expect(withoutTimes(members)).toEqual(withoutTimes(listed));
    const { note: _, ...history } = (await chat.act('history')).structured ?? {};
    const { messages, nextBefore } = await hub.call('history', chat.caller, {});
    const withoutMeta = messages.map(({ meta: __, ...shown }) => shown);
    expect(history).toEqual({ messages: withoutMeta, nextBefore });
  });

  it('renames itself and the room, and leaves', async () => {
    expect((await chat.act('rename', { name: `web ${era}` })).text).toBe(
      `This member is now owner1/web-${era}.`,
    );
    const renamed = await chat.act('update_room', { description: `Seen by ${era}` });
    expect(renamed.structured).toMatchObject({ id: room.id, description: `Seen by ${era}` });
    expect((await chat.act('leave')).structured).toEqual({ left: `owner1/web-${era}` });
    for (const tool of ['members', 'inbox', 'history', 'leave', 'update_room']) {
      const refused = await chat.act(tool, tool === 'update_room' ? { rotateCode: true } : {});
      expect(refused).toMatchObject({ isError: true, structured: undefined });
      expect(refused.text).toMatch(/^Error not_in_room: .+\n.+call join with its code/);
    }
  });
});

/** Who is online is active now: two results differ in that. */
function withoutTimes(result: object): unknown {
  return JSON.parse(
    JSON.stringify(result, (key, value) => (key === 'lastActiveAt' ? undefined : value)),
  );
}
