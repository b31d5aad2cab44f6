// The shipped server as Codex runs it, where no package is installed: whose calls it takes, what
// hooks print, how threads wake.
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { readRun } from '../../bridge/node/index.ts';
import { startFakeHub } from '../../bridge/testing/rig.ts';
import { localTools } from '../../protocol/tool-listing.ts';
import { builtPackage } from '../testing/built.ts';
import { hookToolName } from './hooks.ts';
import { codex } from './package.ts';
import { CodexThread, type ThreadOptions } from './testing/codex-thread.ts';
import { readPlugin } from './testing/plugin-files.ts';

const plugin = await readPlugin(await builtPackage(codex));
const noticeOfOne = expect.stringMatching(/^Tandry: 1 unread message from alice\/review\. Call/);

async function open(options: Partial<ThreadOptions> = {}) {
  const hub = await startFakeHub();
  const home = await mkdtemp(join(tmpdir(), 'tandry codex '));
  onTestFinished(() => rm(home, { recursive: true, force: true }));
  const room = hub.addRoom();
  const alice = hub.addMember(room, 'alice/review');
  const settings = { plugin, home, hub: hub.url, ...options };
  const thread = await CodexThread.open(settings);
  const conversation = { host: 'codex', conversation: thread.id } as const;
  return {
    ...{ hub, home, room, alice, settings, thread },
    member: () => hub.memberOf(room, thread.id),
    async signIn(): Promise<void> {
      await thread.call('login', { action: 'start' });
      hub.state.logins.approve('henry');
      await thread.call('login', { action: 'start' });
    },
    join: (turn = {}) =>
      thread.call('join', { room: room.shownCode, intro: 'Moving the Hub.', name: 'hub' }, turn),
    /** Somebody says something; resolves when the plugin knows. */
    async hear(body: string): Promise<void> {
      hub.say(room, alice, { body });
      const upTo = room.log.length;
      await expect.poll(() => readRun({ home, conversation })).toMatchObject({ upTo });
    },
  };
}

/** A thread that has joined, after its first turn. */
async function openJoined() {
  const rig = await open();
  await rig.thread.hook('SessionStart');
  await rig.thread.hook('UserPromptSubmit');
  await rig.signIn();
  await rig.join();
  await rig.thread.hook('PostToolUse');
  expect(await rig.thread.hook('Stop')).toEqual({});
  await expect.poll(() => rig.member().wakeable).toBe(true);
  return rig;
}

const initialize = {
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'codex-mcp-client', version: '0.171.0' },
  },
};

/** The server without a client that would end it. */
function spawnServer({ plugin: { server, folder }, hub, home }: ThreadOptions): ChildProcess {
  const child = spawn(process.execPath, server.args, {
    cwd: folder,
    env: { TANDRY_HUB: hub, TANDRY_HOME: home },
    stdio: ['pipe', 'ignore', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('the tools are offered, the one of the hooks is not', async () => {
  const { thread } = await open();
  expect(await thread.toolNames()).toEqual(localTools().map(({ name }) => name));
});

test('idle, it is woken by codex queue in the home of its Codex', async () => {
  const { thread, hear, home } = await openJoined();
  await hear('a body');
  await expect.poll(() => thread.queued()).toHaveLength(1);
  expect(await thread.queued()).toEqual([
    {
      args: ['queue', `--thread=${thread.id}`, expect.stringMatching(/^--message=Tandry: 1 unr/)],
      codexHome: join(home, 'codex home'),
    },
  ]);
  expect(await thread.hook('UserPromptSubmit')).toEqual({});
  expect(await thread.hook('Stop')).toEqual({});
  expect(await thread.queued()).toHaveLength(1);
});

test('a prompt brings what came while Codex was away', async () => {
  const { thread, hear } = await openJoined();
  await thread.hook('Interrupt');
  await hear('one');
  expect(await thread.hook('UserPromptSubmit')).toEqual({
    hookSpecificOutput: { hookEventName: 'UserPromptSubmit', additionalContext: noticeOfOne },
  });
  expect(await thread.hook('PostToolUse')).toEqual({});
});

test('busy, a tool boundary carries the notice, once', async () => {
  const { thread, hear, hub } = await openJoined();
  await thread.hook('UserPromptSubmit');
  await hear('a secret body');
  const told = await thread.hook('PostToolUse');
  expect(told).toEqual({
    hookSpecificOutput: { hookEventName: 'PostToolUse', additionalContext: noticeOfOne },
  });
  expect(JSON.stringify(told)).not.toContain('secret');
  expect(await thread.hook('PostToolUse')).toEqual({});
  expect((await thread.call('inbox')).text).toContain('a secret body');
  await expect.poll(() => hub.inputsOf('read')).toEqual([{ upTo: 1 }]);
  expect(await thread.hook('Stop')).toEqual({});
  expect(await thread.queued()).toEqual([]);
});

test('the end of a turn carries it, never twice for one state', async () => {
  const { thread, hear } = await openJoined();
  await thread.hook('UserPromptSubmit');
  await hear('one');
  expect(await thread.hook('Stop')).toEqual({ decision: 'block', reason: noticeOfOne });
  expect(await thread.hook('Stop')).toEqual({});
  await thread.hook('UserPromptSubmit');
  expect(await thread.hook('Stop')).toEqual({});
  expect(await thread.queued()).toEqual([]);
  await hear('two');
  await expect.poll(() => thread.queued()).toHaveLength(1);
});

test('a thread that never joined asks nobody anything', async () => {
  const { thread, hub } = await open();
  for (const event of ['SessionStart', 'UserPromptSubmit', 'PostToolUse', 'Stop', 'Interrupt']) {
    expect(await thread.hook(event)).toEqual({});
  }
  expect([hub.requests, hub.links.upgrades]).toEqual([[], []]);
});

test('resumed in another process it is the same member; another thread is none', async () => {
  const { thread, settings, hub, room } = await openJoined();
  await thread.close();
  await expect.poll(() => hub.links.open).toEqual([]);
  const resumed = await CodexThread.open({ ...settings, thread: thread.id });
  await resumed.hook('SessionStart');
  await expect.poll(() => hub.links.open.length).toBe(1);
  expect((await resumed.call('status')).text).toContain('henry/hub in the room');
  const fork = await CodexThread.open(settings);
  await fork.hook('SessionStart');
  expect((await fork.call('inbox')).text).toContain('Error not_in_room');
  expect([hub.links.open.length, room.members.length]).toEqual([1, 2]);
});

test('a subagent binds nothing: not by tools, not by hooks', async () => {
  const { thread, settings, hub } = await openJoined();
  const asked = hub.requests.length;
  const subagent = await CodexThread.open({ ...settings, session: thread.id });
  await subagent.hook('UserPromptSubmit');
  const own = { thread_source: 'subagent' };
  const disguised = await CodexThread.open(settings);
  const answers = [
    await subagent.call('join', { room: 'ABCD-EFGH', intro: 'x' }),
    await subagent.call('status'),
    await disguised.call('inbox', {}, own),
  ];
  for (const { text, isError } of answers) {
    expect([isError, text]).toEqual([true, expect.stringContaining('only top-level')]);
  }
  expect([hub.requests.length, hub.links.open.length]).toEqual([asked, 1]);
});

test('a hook of a subagent brings nothing online, even with a marker for its thread', async () => {
  const { thread, settings, hub } = await openJoined();
  await thread.close();
  const subagent = await CodexThread.open({ ...settings, thread: thread.id, session: 'another' });
  expect(await subagent.hook('UserPromptSubmit')).toEqual({});
  const other = await CodexThread.open(settings);
  await other.call('status');
  expect(hub.links.upgrades).toHaveLength(1);
});

test('a model that calls the tool of the hooks takes no notice away', async () => {
  const { thread, hear } = await openJoined();
  await thread.hook('UserPromptSubmit');
  await hear('one');
  const input = { event: 'PostToolUse', session: thread.id, cwd: '/somewhere' };
  expect(await thread.call(hookToolName, input)).toEqual({ text: '{}', isError: false });
  expect(await thread.hook('PostToolUse')).not.toEqual({});
});

test('while no hook has run, join and status say how to trust them', async () => {
  const { thread, signIn, join: enter, member } = await open();
  await signIn();
  expect((await enter()).text).toMatch(/Notices will not reach it: .*\/hooks/);
  await expect.poll(() => member().wakeable).toBe(false);
  await expect
    .poll(async () => (await thread.call('status')).text)
    .toMatch(/Notices do not reach it now: .*\/hooks/);
  await thread.hook('PostToolUse');
  await expect.poll(() => member().wakeable).toBe(true);
});

test('a run of codex exec is honest about its end', async () => {
  const { thread, signIn, join: enter, member } = await open();
  await thread.hook('SessionStart');
  await signIn();
  expect((await enter({ turn_trigger: 'exec' })).text).toContain('a single run of codex exec');
  await expect.poll(() => member().wakeable).toBe(false);
});

test('a prompt that Codex does not take is tried again', async () => {
  const { thread, hear } = await openJoined();
  await thread.breakQueue('Error: no rollout found for thread id 1 in /home/someone');
  await hear('one');
  await expect.poll(async () => (await thread.queued()).length).toBeGreaterThan(1);
  expect(thread.warnings).toBe('');
});

test('when Codex closes its end, the process leaves by itself', async () => {
  const { thread, hub, settings } = await openJoined();
  await thread.close();
  const server = spawnServer(settings);
  const input = { event: 'SessionStart', session: thread.id, cwd: settings.home };
  const params = { name: hookToolName, arguments: input, _meta: { threadId: thread.id } };
  server.stdin?.write(`${JSON.stringify(initialize)}\n`);
  server.stdin?.write(
    `${JSON.stringify({ jsonrpc: '2.0', id: 2, method: 'tools/call', params })}\n`,
  );
  await expect.poll(() => hub.links.open.length).toBe(1);
  server.stdin?.end();
  expect(await once(server, 'exit')).toEqual([0, null]);
  await expect.poll(() => hub.links.open).toEqual([]);
});
