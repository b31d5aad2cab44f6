// As whom a chat acts: a handle each, good for its own account and client alone, until another
// conversation continues the member.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { HostKind } from '../../../protocol/nouns.ts';
import { startTestHub, type TestHub } from '../../testing/test-hub.ts';
import { createTestRoom, type TestRoom } from '../../testing/test-room.ts';
import { type Chat, type ChatOptions, handleOf, startChat } from './testing/chat.ts';
import { eras } from './testing/clients.ts';
import { connectorToken, serveMcp, type TestEndpoint } from './testing/serve.ts';

let hub: TestHub;
let endpoint: TestEndpoint;
let room: TestRoom;
const chats: Chat[] = [];
beforeAll(async () => {
  hub = await startTestHub();
  endpoint = await serveMcp(hub);
  room = await createTestRoom(hub);
});
afterAll(async () => {
  for (const chat of chats) await chat.close();
  await endpoint.close();
  await hub.close();
});

async function chatOf(account: string, options: Partial<ChatOptions> = {}): Promise<Chat> {
  const chat = await startChat(endpoint, { account, code: room.code, ...options });
  chats.push(chat);
  return chat;
}

const addressOf = (chat: Chat) => String(chat.joined.structured?.['member']);

describe('two chats of one account', () => {
  it('are two members with a handle and an inbox each', async () => {
    const [one, two] = [await chatOf('owner1'), await chatOf('owner1')];
    expect(one.handle).not.toBe(two.handle);
    expect(addressOf(one)).not.toBe(addressOf(two));
    await one.act('send', { to: [addressOf(two)], body: 'For the second.' });
    expect((await one.act('inbox')).text).toBe('The inbox is empty.');
    expect((await two.act('inbox')).text).toMatch('For the second.');
  });

  it('also when one client joins twice', async () => {
    const chat = await chatOf('owner1');
    const again = await chat.call('join', { room: room.code, intro: 'Once more.' });
    expect(handleOf(again)).not.toBe(chat.handle);
    expect(again.structured).toMatchObject({ outcome: 'joined' });
    expect((await chat.act('members')).isError).toBe(false);
  });
});

describe('the host kind', () => {
  it.each<HostKind>(['claude-web', 'chatgpt-web', 'web'])(
    'is the token’s (%s), with an empty workspace, and its name for want of another',
    async (host) => {
      const chat = await chatOf('owner1', { host });
      expect(addressOf(chat)).toMatch(new RegExp(`^owner1/${host}(-\\d+)?$`));
      const { members } = await hub.call('members', chat.caller, {});
      expect(members.find(({ me }) => me)).toMatchObject({
        host,
        tier: 'pull',
        state: 'online',
        workspace: { repo: '', branch: '' },
      });
    },
  );
});

describe('a handle', () => {
  const refused = { isError: true, text: expect.stringMatching(/^Error not_in_room: /) };

  it('is good for its own account and its own client only', async () => {
    const chat = await chatOf('owner1', { host: 'chatgpt-web' });
    await room.member('carl', 'terminal');
    for (const token of [connectorToken('carl', 'chatgpt-web'), connectorToken('owner1', 'web')]) {
      const other = await eras['2025-11-25'](endpoint.url, token);
      for (const tool of ['members', 'inbox', 'history', 'leave']) {
        expect(await other.call(tool, { conversation: chat.handle })).toMatchObject(refused);
      }
      const send = { conversation: chat.handle, to: '@room', body: 'As somebody else.' };
      expect(await other.call('send', send)).toMatchObject(refused);
      await other.close();
    }
    expect((await chat.act('members')).isError).toBe(false);
  });

  it('is dead once another chat continued its member', async () => {
    const before = await chatOf('owner1', { host: 'claude-web', join: { name: 'moving' } });
    const bob = await room.member('bob', 'terminal');
    const send = { id: hub.newId('m_'), to: ['owner1/moving'], body: 'Still there?' };
    await hub.call('send', bob, send);
    const after = await chatOf('owner1', { host: 'chatgpt-web', join: { as: 'moving' } });
    expect(after.joined.structured).toMatchObject({ outcome: 'continued', unread: 1 });
    for (const tool of ['members', 'inbox', 'history', 'leave']) {
      expect(await before.act(tool)).toMatchObject(refused);
    }
    expect((await after.act('inbox')).text).toMatch('Still there?');
  });

  it('of another form is a mistake, told with all others', async () => {
    const chat = await chatOf('owner1');
    for (const conversation of [undefined, '', 'r_1.c_1', chat.handle.slice(2), 7, null]) {
      const { text, isError } = await chat.call('send', { conversation, to: 'bob' });
      expect(isError).toBe(true);
      expect(text).toMatch(/^Error invalid_input: conversation: .*; to: .*; body: .*\n/);
    }
  });
});

describe('mail of a chat', () => {
  it('is handed over exactly once, to whichever of six calls is first', async () => {
    const chat = await chatOf('owner1');
    const bob = await room.member('bob', 'busy');
    for (let count = 0; count < 3; count += 1) {
      const send = { id: hub.newId('m_'), to: [addressOf(chat)], body: `Part ${count}` };
      await hub.call('send', bob, send);
    }
    const results = await Promise.all(Array.from({ length: 6 }, () => chat.act('inbox')));
    expect(results.filter(({ isError }) => isError)).toEqual([]);
    const full = results.filter(({ text }) => text !== 'The inbox is empty.');
    expect(full.map(({ text }) => text.match(/Part \d/g))).toEqual([
      ['Part 0', 'Part 1', 'Part 2'],
    ]);
  });

  it('that got lost on the way is in the history, and the agent is told so', async () => {
    const chat = await chatOf('owner1');
    const bob = await room.member('bob', 'unlucky');
    await hub.call('send', bob, { id: hub.newId('m_'), to: [addressOf(chat)], body: 'Lost.' });
    // The nonce is the last thing a result needs: by then the position has moved.
    const failing = await serveMcp({
      hub: {
        ...hub.hub,
        randomBytes: () => {
          throw new Error('no randomness');
        },
      },
    });
    const { account, host } = chat.caller;
    const client = await eras['2025-11-25'](failing.url, connectorToken(account, host));
    const lost = await client.call('inbox', { conversation: chat.handle });
    await client.close();
    await failing.close();
    expect(lost.isError).toBe(true);
    expect(lost.text).toMatch(/^Error unavailable: .*\nDo not repeat the call: .*Call history/);
    expect((await chat.act('inbox')).text).toBe('The inbox is empty.');
    expect((await chat.act('history')).text).toMatch('Lost.');
  });
});

describe('a refusal', () => {
  it('brings the members when an address is wrong', async () => {
    const chat = await chatOf('owner1');
    const { text, isError } = await chat.act('send', { to: ['owner1/nobody'], body: 'Hello?' });
    expect(isError).toBe(true);
    expect(text).toMatch(/^Error no_such_member: .*owner1\/nobody.*\nPick the address/);
    expect(text).toMatch(new RegExp(`\nMembers now:\n(- .*\n)*- ${addressOf(chat)} \\(you\\)`));
  });

  it('sends somebody without a handle to the website, and a wrong code to the owner', async () => {
    const stranger = await eras['2026-07-28'](endpoint.url, connectorToken('dora'));
    const join = { room: room.code, intro: 'Hello.' };
    expect((await stranger.call('join', join)).text).toMatch(
      /^Error handle_required: .*\n.*website/,
    );
    await stranger.close();
    const chat = await chatOf('owner1');
    const wrong = await chat.call('join', { ...join, room: 'AAAA-AAAA' });
    expect(wrong.text).toMatch(/^Error no_such_room: .*\nAsk your owner/);
  });
});
