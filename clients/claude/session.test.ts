// The plugin at work in a session: notices while busy and while idle, each once, and the inbox.
import { utimes } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { builtPackage } from '../testing/built.ts';
import { conversationFiles } from './files.ts';
import { claude as claudePackage } from './package.ts';
import { readPlugin } from './testing/plugin-files.ts';
import { createJoinedSession, createSession, enterRoom, until } from './testing/room.ts';

const plugin = await readPlugin(await builtPackage(claudePackage));
const one = /^Tandry: 1 unread message from alice\/review\. Call the Tandry inbox tool/;

describe('while a turn runs', () => {
  test('a tool boundary carries the notice once, and the inbox has the message', async () => {
    const { claude, hear, hub } = await createJoinedSession(plugin);
    await claude.prompt();
    expect((await claude.hook('PostToolUse', { tool_name: 'Bash' })).context).toBeUndefined();
    await hear('a secret body');
    const { context } = await claude.hook('PostToolUse', { tool_name: 'Bash' });
    expect(context).toMatch(one);
    expect(context).not.toMatch('secret');
    expect((await claude.hook('PostToolUse', { tool_name: 'Read' })).context).toBeUndefined();
    const inbox = await claude.call('inbox');
    expect(inbox.text).toMatch('a secret body');
    expect(inbox.context).toBeUndefined();
    await until(() => hub.inputsOf('read').length === 1);
    expect((await claude.stop()).context).toBeUndefined();
    expect((await claude.prompt()).context).toBeUndefined();
  });

  test('a tool that failed is a boundary too', async () => {
    const { claude, hear } = await createJoinedSession(plugin);
    await claude.prompt();
    await hear('one');
    const fields = { tool_name: 'Bash', error: 'exit 1' };
    expect((await claude.hook('PostToolUseFailure', fields)).context).toMatch(one);
    expect((await claude.stop()).context).toBeUndefined();
  });

  test('the end of the turn carries it, and the turn goes on', async () => {
    const { claude, hear } = await createJoinedSession(plugin);
    await claude.prompt();
    await hear('one');
    expect((await claude.stop()).context).toMatch(one);
    expect((await claude.stop(true)).context).toBeUndefined();
  });

  test('a turn that went on once ends, and later mail starts one of its own', async () => {
    const { claude, hear, arm } = await createJoinedSession(plugin);
    await arm();
    await claude.prompt();
    await hear('one');
    expect((await claude.stop()).context).toMatch(one);
    await hear('two');
    expect((await claude.stop(true)).context).toBeUndefined();
    await until(() => claude.lines.length === 1);
    expect(claude.lines[0]).toMatch('2 unread messages');
  });

  test('a prompt carries what came while nothing listened', async () => {
    const { claude, hear } = await createJoinedSession(plugin);
    await hear('one');
    expect((await claude.prompt()).context).toMatch(one);
  });

  test('subagents hear nothing and end no turn', async () => {
    const { claude, hear, arm, wakes } = await createJoinedSession(plugin);
    await arm();
    await claude.prompt();
    await hear('one');
    const subagent = { agent_id: 'a1', agent_type: 'Explore' };
    for (const name of ['PostToolUse', 'PostToolUseFailure', 'Stop', 'UserPromptSubmit']) {
      const { context } = await claude.hook(name, { tool_name: 'Bash', ...subagent });
      expect(context, name).toBeUndefined();
    }
    await claude.hook('SessionEnd', { reason: 'other', ...subagent });
    // Had one of them ended the turn, the monitor would be asked now.
    await hear('two');
    expect(await wakes()).toBe(0);
    const { context } = await claude.hook('PostToolUse', { tool_name: 'Bash' });
    expect(context).toMatch('2 unread messages');
  });
});

test('a subagent calls none of our tools', async () => {
  const { claude, hub } = await createJoinedSession(plugin);
  const before = hub.requests.length;
  const send = { to: '@room', body: 'as my parent' };
  const answer = await claude.call('send', send, { agent_id: 'a1', agent_type: 'Explore' });
  expect(answer.isError).toBe(true);
  expect(answer.text).toMatch('Only top-level conversations take part');
  expect(hub.requests).toHaveLength(before);
});

describe('while it is idle', () => {
  test('mail starts a turn by one line of the monitor, once', async () => {
    const { claude, hear, arm } = await createJoinedSession(plugin);
    await arm();
    await hear('a secret body');
    await until(() => claude.lines.length === 1);
    expect(claude.lines[0]).toMatch(one);
    expect(claude.lines[0]).not.toMatch('secret');
    expect((await claude.hook('PostToolUse', { tool_name: 'Bash' })).context).toBeUndefined();
    const { text } = await claude.call('inbox');
    expect(text).toMatch('a secret body');
    expect((await claude.stop()).context).toBeUndefined();
    await hear('two');
    await until(() => claude.lines.length === 2);
    expect(claude.lines).toHaveLength(2);
  });

  test('mail of a busy turn whose end nobody heard starts one when the host says idle', async () => {
    const { claude, hear, arm, wakes } = await createJoinedSession(plugin);
    await arm();
    await claude.prompt();
    await hear('one');
    expect(await wakes()).toBe(0);
    // The owner interrupted: there is no Stop.
    await claude.hook('Notification', { notification_type: 'permission_prompt', message: '' });
    await hear('two');
    expect(await wakes()).toBe(0);
    await claude.hook('Notification', { notification_type: 'idle_prompt', message: '' });
    await until(() => claude.lines.length === 1);
  });

  test('a turn of which nothing was heard for ten minutes counts as over', async () => {
    const { claude, hear, home, arm, wakes } = await createJoinedSession(plugin);
    await arm();
    await claude.prompt();
    await hear('one');
    const { turn } = conversationFiles(home, claude.conversation);
    const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000);
    await utimes(turn, minutesAgo(9), minutesAgo(9));
    await hear('two');
    expect(await wakes()).toBe(0);
    await utimes(turn, minutesAgo(11), minutesAgo(11));
    await until(() => claude.lines.length === 1);
    expect(claude.lines[0]).toMatch('2 unread messages');
  });

  test('a turn that failed has ended', async () => {
    const { claude, hear, arm } = await createJoinedSession(plugin);
    await arm();
    await claude.prompt();
    await hear('one');
    expect((await claude.hook('StopFailure', { error: 'rate_limit' })).context).toBeUndefined();
    await until(() => claude.lines.length === 1);
  });

  test('a monitor that is told no process ID finds the session too', async () => {
    const { claude, hear, arm } = await createJoinedSession(plugin, { tellsPid: false });
    await arm();
    await hear('one');
    await until(() => claude.lines.length === 1);
  });
});

describe('without a monitor', () => {
  test('the member says that it cannot be woken, and why', async () => {
    const { claude, member, hear } = await createJoinedSession(plugin);
    await until(() => member().wakeable === false);
    await hear('one');
    const { text } = await claude.callServer('status');
    expect(text).toMatch('nothing listens for mail while this session is idle');
    expect(text).toMatch('claude -p');
  });

  test('it says so again after the monitor has ended', async () => {
    const { claude, member, arm } = await createJoinedSession(plugin);
    await arm();
    claude.endMonitors('SIGKILL');
    await until(() => member().wakeable === false);
  });

  test('a one-shot run that was joined before is told at its prompt and its end', async () => {
    const first = await createJoinedSession(plugin);
    const { claude, hub, room, alice } = first;
    await claude.quit();
    hub.say(room, alice, { body: 'one' });
    await claude.open('resume');
    await until(() => first.member().wakeable === false && hub.links.open.length === 1);
    await first.hear('two');
    expect((await claude.prompt()).context).toMatch('2 unread messages');
    expect((await claude.call('inbox')).text).toMatch('two');
    expect((await claude.stop()).context).toBeUndefined();
  });
});

test.each([undefined, '2026-07-28'] as const)('a host that opens with %s', async (era) => {
  const session = await createSession(plugin, era === undefined ? {} : { era });
  await session.claude.open();
  await enterRoom(session);
  session.hub.say(session.room, session.alice, { body: 'hello' });
  await until(async () => (await session.claude.stop()).context !== undefined);
  expect((await session.claude.call('inbox')).text).toMatch('hello');
  await until(() => session.hub.inputsOf('read').length === 1);
});
