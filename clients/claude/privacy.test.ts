// What a conversation that never joined leaves alone, and who may read what the others write.
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { builtPackage } from '../testing/built.ts';
import { claude as claudePackage } from './package.ts';
import { readPlugin } from './testing/plugin-files.ts';
import { createJoinedSession, createSession, filesIn, until } from './testing/room.ts';

const plugin = await readPlugin(await builtPackage(claudePackage));

const everyEvent: readonly (readonly [string, object])[] = [
  ['SessionStart', { source: 'startup' }],
  ['UserPromptSubmit', { prompt: 'hello' }],
  ['PostToolUse', { tool_name: 'Bash', tool_input: {}, tool_response: {}, tool_use_id: 't1' }],
  ['PostToolUse', { tool_name: 'Bash', agent_id: 'a1', agent_type: 'Explore' }],
  ['PostToolUseFailure', { tool_name: 'Bash', error: 'exit 1' }],
  ['Notification', { notification_type: 'idle_prompt' }],
  ['Stop', { stop_hook_active: false }],
  ['StopFailure', { error: 'rate_limit' }],
  ['SessionStart', { source: 'clear' }],
  ['SessionStart', { source: 'compact' }],
  ['SessionEnd', { reason: 'clear' }],
  ['SessionEnd', { reason: 'other' }],
];

test('a conversation that never joined writes nothing, says nothing, and asks nobody', async () => {
  const { claude, hub, home } = await createSession(plugin);
  // Whoever reads them is told that they are damaged.
  await writeFile(join(home, 'credentials.json'), 'not to be read', { mode: 0o600 });
  await claude.open();
  for (const [name, fields] of everyEvent) {
    expect(await claude.hook(name, { ...fields }), name).toEqual({
      context: undefined,
      refusal: undefined,
    });
  }
  await claude.quit();
  expect((await filesIn(home)).map(({ path }) => path)).toEqual(['credentials.json']);
  expect(hub.requests).toEqual([]);
  expect(hub.links.upgrades).toEqual([]);
  expect(await hub.connectionCount()).toBe(0);
  expect(claude.written).toBe('');
});

test('those credentials would have been noticed', async () => {
  const { claude, home } = await createSession(plugin);
  await writeFile(join(home, 'credentials.json'), 'damaged', { mode: 0o600 });
  await claude.open();
  await claude.call('status');
  expect(claude.written).toMatch('credentials.json: it is damaged');
});

test('files and folders are for their owner alone, whatever the umask', async () => {
  const before = process.umask(0);
  try {
    const { claude, home, hear, arm } = await createJoinedSession(plugin);
    await arm();
    await claude.prompt();
    await hear('one');
    await claude.hook('PostToolUse', { tool_name: 'Bash' });
    const files = await filesIn(home);
    const folders = new Set(files.map(({ path }) => path.split('/')[0]));
    expect(folders).toEqual(
      new Set(['credentials.json', 'joined', 'run', 'taken', 'session', 'turn', 'monitor']),
    );
    for (const { path, mode } of files) expect([0o600, 0o700], path).toContain(mode);
  } finally {
    process.umask(before);
  }
});

test('a token is in no output, a body in no file', async () => {
  const { claude, home, token, hear, arm, hub } = await createJoinedSession(plugin);
  await arm();
  await hear('a secret body');
  await until(() => claude.lines.length === 1);
  const texts = [
    (await claude.call('status')).text,
    (await claude.call('inbox')).text,
    (await claude.call('login', { action: 'logout' })).text,
  ];
  await until(() => hub.inputsOf('logout').length === 1);
  expect(texts[1]).toMatch('a secret body');
  for (const text of [...texts, claude.written]) expect(text).not.toMatch(token);
  for (const { path } of await filesIn(home)) {
    const content = await readFile(join(home, path), 'utf8').catch(() => '');
    expect(content, path).not.toMatch('secret');
  }
});

test('what stands in the way on disk is not in the way of the session', async () => {
  const { claude, home } = await createJoinedSession(plugin);
  const { conversation } = claude;
  await claude.quit();
  // A file where a folder should be, and a run file that is none.
  await rm(join(home, 'turn'), { recursive: true });
  await writeFile(join(home, 'turn'), '');
  await mkdir(join(home, 'run', 'claude', conversation), { recursive: true });
  claude.conversation = conversation;
  expect(await claude.hook('UserPromptSubmit', { prompt: 'x' })).toEqual({
    context: undefined,
    refusal: undefined,
  });
  expect(await claude.hook('Stop', {})).toEqual({ context: undefined, refusal: undefined });
});

test.each(['', 'null', '[]', '{"hook_event_name":"Stop"}', '{"session_id":1}', '{'])(
  'a hook that is told %j says nothing',
  async (input) => {
    const { claude } = await createSession(plugin);
    const hook = join(plugin.folder, 'dist', 'hook.cjs');
    expect(await claude.runProgram('node', [hook], input)).toBe('');
  },
);
