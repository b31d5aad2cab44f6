// Processes that are killed: no message is lost, none is told twice without need.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { recordPaths } from '../../bridge/node/files/paths.ts';
import { builtPackage } from '../testing/built.ts';
import { conversationFiles, host, processFiles } from './files.ts';
import { isAlive } from './monitor/ancestors.ts';
import { claude as claudePackage } from './package.ts';
import { readPlugin } from './testing/plugin-files.ts';
import { createJoinedSession, until } from './testing/room.ts';

const plugin = await readPlugin(await builtPackage(claudePackage));

test('killed between inbox and read, the next server hands out the same batch', async () => {
  const { claude, hear, hub } = await createJoinedSession(plugin);
  await hear('first');
  await hear('second');
  const { promise, resolve } = Promise.withResolvers<void>();
  hub.fail('read', { kind: 'hold', until: promise });
  const first = await claude.callServer('inbox');
  await until(() => hub.inputsOf('read').length === 1);
  process.kill(claude.serverPid, 'SIGKILL');
  await until(() => hub.links.open.length === 0);
  hub.fail('read', { kind: 'lose_request' });
  await claude.connect();
  await until(() => hub.links.open.length === 1);
  // It cannot know whether the notice was ever seen.
  await until(async () => (await claude.prompt()).context !== undefined);
  const second = await claude.callServer('inbox');
  const idsOf = (text: string) => text.match(/\bm_[0-9a-z]+/g);
  expect(idsOf(first.text)).toHaveLength(2);
  expect(idsOf(second.text)).toEqual(idsOf(first.text));
  resolve();
});

test('a send whose answer was lost is repeated with the same ID', async () => {
  const { claude, hub } = await createJoinedSession(plugin);
  hub.fail('send', { kind: 'lose_answer' });
  const { text, isError } = await claude.call('send', { to: ['alice/review'], body: 'once' });
  expect(isError, text).toBe(false);
  const inputs = hub.inputsOf('send');
  expect(inputs).toHaveLength(2);
  expect(inputs[1]).toEqual(inputs[0]);
});

test('a server that is started again is the same member, and is woken', async () => {
  const { claude, hear, hub, arm, room, alice } = await createJoinedSession(plugin);
  await arm();
  process.kill(claude.serverPid, 'SIGKILL');
  await until(() => hub.links.open.length === 0);
  hub.say(room, alice, { body: 'one' });
  await claude.connect();
  await until(() => claude.lines.length === 1);
  await claude.call('inbox');
  await claude.stop();
  await hear('two');
  await until(() => claude.lines.length === 2);
  expect(claude.lines).toHaveLength(2);
});

test.each(['SIGINT', 'SIGTERM'] as const)(
  'ended by %s, it goes offline and leaves no file but its marker',
  async (signal) => {
    const { claude, hear, hub, home } = await createJoinedSession(plugin);
    const { serverPid, conversation } = claude;
    await claude.prompt();
    await hear('one');
    process.kill(serverPid, signal);
    await until(() => !isAlive(serverPid));
    await until(() => hub.links.open.length === 0);
    const { session } = processFiles(home, process.pid);
    const { marker, turn } = conversationFiles(home, conversation);
    const { run } = recordPaths(home, { host, conversation });
    expect([session, turn, run].filter((path) => existsSync(path))).toEqual([]);
    expect(existsSync(marker)).toBe(true);
  },
);

test('a monitor ends with the host', async () => {
  const { claude, home } = await createJoinedSession(plugin);
  const host = spawn('sleep', ['600']);
  const pid = host.pid ?? 0;
  const { session, lease } = processFiles(home, pid);
  await writeFile(session, claude.conversation);
  const monitor = spawn('node', [join(plugin.folder, 'dist', 'monitor.cjs')], {
    env: { ...claude.environment, CLAUDE_PID: String(pid) },
    stdio: 'ignore',
  });
  const ended = once(monitor, 'exit');
  await until(() => existsSync(lease));
  host.kill('SIGKILL');
  expect(await ended).toEqual([0, null]);
  expect(existsSync(lease)).toBe(false);
});
