// Which conversation a session shows: /clear, resume, fork, and IDs that were right at the start.
import { randomUUID } from 'node:crypto';
import { existsSync } from 'node:fs';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtPackage } from '../testing/built.ts';
import { processFiles } from './files.ts';
import { claude as claudePackage } from './package.ts';
import { ClaudeCode } from './testing/claude-code.ts';
import { readPlugin } from './testing/plugin-files.ts';
import { createJoinedSession, createSession, enterRoom, until } from './testing/room.ts';

const plugin = await readPlugin(await builtPackage(claudePackage));

test.each([
  ['/clear', 'clear', 'clear'],
  ['/branch', 'other', 'fork'],
])('after %s the new conversation is in no room, and the old one offline', async (...names) => {
  const [, reason, source] = names;
  const { claude, hub, hear, room, alice } = await createJoinedSession(plugin);
  const former = claude.conversation;
  expect((await claude.switchTo(randomUUID(), reason, source)).context).toBeUndefined();
  await until(() => hub.links.open.length === 0);
  hub.say(room, alice, { body: 'one' });
  expect((await claude.prompt()).context).toBeUndefined();
  expect((await claude.call('inbox')).text).toMatch(/^Error not_in_room: /);
  // Back in the former one, it is the same member.
  const { context } = await claude.switchTo(former, 'resume', 'resume');
  expect(context).toMatch(/^This conversation is a member of a Tandry room\./);
  await until(() => hub.links.open.length === 1);
  await hear('two');
  expect((await claude.prompt()).context).toMatch('2 unread messages');
  expect((await claude.call('inbox')).text).toMatch('two');
});

test('the conversation after /clear joins for itself', async () => {
  const session = await createJoinedSession(plugin);
  const { claude, hub, room } = session;
  const former = claude.conversation;
  await claude.switchTo(randomUUID(), 'clear', 'clear');
  const { isError } = await claude.call('join', { room: room.shownCode, intro: 'Anew.' });
  expect(isError).toBe(false);
  await until(() => hub.memberOf(room, claude.conversation).wakeable === false);
  expect(hub.memberOf(room, claude.conversation)).not.toBe(hub.memberOf(room, former));
});

test('the monitor of a session serves each conversation that it shows', async () => {
  const session = await createJoinedSession(plugin);
  const { claude, hub, room, hear, arm } = session;
  await arm();
  const former = claude.conversation;
  await claude.switchTo(randomUUID(), 'clear', 'clear');
  await claude.call('join', { room: room.shownCode, intro: 'Anew.' });
  await claude.stop();
  await until(() => hub.memberOf(room, claude.conversation).wakeable === true);
  await hear('one');
  await until(() => claude.lines.length === 1);
  await claude.switchTo(former, 'resume', 'resume');
  await until(() => claude.lines.length === 2);
  expect(claude.lines[1]).toMatch('1 unread message');
});

test('between two conversations a call belongs to none', async () => {
  const { claude, hub } = await createJoinedSession(plugin);
  await claude.hook('SessionEnd', { reason: 'clear' });
  await until(() => hub.links.open.length === 0);
  const before = hub.requests.length;
  const { text } = await claude.callServer('send', { to: '@room', body: 'whose?' });
  expect(text).toMatch(/^Error not_in_room: Claude Code does not say/);
  expect(hub.requests).toHaveLength(before);
});

test('a session that was resumed without an ID comes online as what hooks say', async () => {
  const first = await createJoinedSession(plugin);
  const { claude, hub, room, settings } = first;
  await claude.quit();
  await until(() => hub.links.open.length === 0);
  const resumed = new ClaudeCode({
    ...settings,
    conversation: claude.conversation,
    // What the server was started with was never a conversation of anybody.
    spawnedFor: randomUUID(),
  });
  await resumed.open('resume');
  await until(() => hub.memberOf(room, resumed.conversation).wakeable === false);
  expect(hub.links.open[0]?.member).toBe(hub.memberOf(room, claude.conversation));
});

test('the first call of a session is that of its conversation, whatever the server was told', async () => {
  const session = await createSession(plugin, { spawnedFor: randomUUID() });
  await session.claude.open();
  await enterRoom(session);
  const { hub, room, claude } = session;
  expect(hub.memberOf(room, claude.conversation).host).toBe('claude');
});

test('a session in which hooks do not run has the ID of its start', async () => {
  const session = await createSession(plugin);
  const { claude, hub, room } = session;
  await claude.connect();
  await claude.callServer('login', { action: 'start' });
  hub.state.logins.approve('henry');
  await claude.callServer('login', { action: 'start' });
  await claude.callServer('join', { room: room.shownCode, intro: 'Without hooks.' });
  await until(() => hub.memberOf(room, claude.conversation).wakeable === false);
});

test('what was said of its process ID before the machine was started counts for nothing', async () => {
  const former = await createJoinedSession(plugin);
  const { hub, home, room, claude, settings } = former;
  await claude.quit();
  await until(() => hub.links.open.length === 0);
  const { session } = processFiles(home, process.pid);
  await writeFile(session, claude.conversation);
  await utimes(session, 0, 0);
  const later = new ClaudeCode({ ...settings, conversation: randomUUID() });
  await later.connect();
  expect((await later.callServer('inbox')).text).toMatch(/^Error not_in_room: /);
  await later.callServer('join', { room: room.shownCode, intro: 'Another.' });
  await until(() => hub.memberOf(room, later.conversation).wakeable === false);
  expect(hub.links.open).toHaveLength(1);
});

test('compaction ends no turn, and says again where the conversation is', async () => {
  const { claude, hear, arm, wakes } = await createJoinedSession(plugin);
  await arm();
  await claude.prompt();
  const { context } = await claude.hook('SessionStart', { source: 'compact' });
  expect(context).toMatch('member of a Tandry room');
  await hear('one');
  expect(await wakes()).toBe(0);
  expect((await claude.hook('PostToolUse', { tool_name: 'Bash' })).context).toMatch('1 unread');
});

test.each(['prompt_input_exit', 'logout', 'other'])(
  'a session that ends by %s leaves its marker and nothing that runs',
  async (reason) => {
    const { claude, hub, home } = await createJoinedSession(plugin);
    await claude.prompt();
    await claude.quit(reason);
    await until(() => hub.links.open.length === 0);
    const has = (folder: string, name: string) => existsSync(join(home, folder, 'claude', name));
    const { conversation } = claude;
    expect(has('joined', conversation)).toBe(true);
    const hasEnded = () =>
      ['run', 'turn'].every((folder) => !has(folder, conversation)) &&
      !has('session', String(process.pid));
    await until(hasEnded);
  },
);

test('a conversation that left hears nothing more', async () => {
  const { claude, hub, room, home } = await createJoinedSession(plugin);
  const { conversation } = claude;
  await claude.prompt();
  await claude.call('leave');
  expect(existsSync(join(home, 'joined', 'claude', conversation))).toBe(false);
  expect(room.members.map((member) => member.conversation)).not.toContain(conversation);
  expect((await claude.stop()).context).toBeUndefined();
  await until(() => hub.links.open.length === 0);
});
