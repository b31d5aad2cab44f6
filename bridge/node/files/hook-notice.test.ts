// Hooks and monitors in processes of their own, beside a bridge that is online.
import { describe, expect, test } from 'vitest';
import { createJoinedRig, temporaryFolder, until } from '../../testing/rig.ts';
import type { NodeBridgeOptions } from '../create-node-bridge.ts';
import { nodeFiles } from './file-access.ts';
import { isNoticeTaken, readRun, takeHookNotice } from './hook-notice.ts';
import { recordPaths } from './paths.ts';

async function createHookedRig(options: Partial<NodeBridgeOptions> = {}) {
  const rig = await createJoinedRig({ hooksAreProcesses: true, ...options });
  const { home, conversation } = rig;
  const hook = { home, conversation: { host: 'codex' as const, conversation } };
  const published = async (key: string) =>
    await until(async () => (await readRun(hook))?.key === key);
  return { ...rig, hook, published };
}

test('a boundary hook carries the notice, once', async () => {
  const { hear, turn, hook, published, shell } = await createHookedRig();
  turn(true);
  expect(await takeHookNotice(hook, 'tool')).toBeUndefined();
  await hear('one');
  await published('1:0');
  const taken = await Promise.all([1, 2, 3].map(() => takeHookNotice(hook, 'tool')));
  expect(taken.filter((notice) => notice !== undefined)).toEqual([
    expect.stringMatching(/^Tandry: 1 unread message from alice\/review\./),
  ]);
  expect(await isNoticeTaken(hook, '1:0')).toBe(true);
  expect(await takeHookNotice(hook, 'end')).toBeUndefined();
  turn(false);
  await until(async () => (await readRun(hook))?.notice === '');
  expect(shell.wakes).toEqual([]);
});

test('a hook that another has overtaken says nothing, and takes nothing away', async () => {
  const { hear, turn, hook, published, home } = await createHookedRig();
  turn(true);
  await hear('one');
  await published('1:0');
  const { run } = recordPaths(home, hook.conversation);
  const reads = [await nodeFiles.read(run)];
  const late = { ...nodeFiles, read: async (path: string) => reads.pop() ?? nodeFiles.read(path) };
  expect(await takeHookNotice(hook, 'tool')).toMatch('1 unread message');
  await hear('two');
  await published('2:0');
  expect(await takeHookNotice(hook, 'end')).toMatch('2 unread messages');
  expect(await takeHookNotice({ ...hook, files: late }, 'tool')).toBeUndefined();
  expect(reads).toEqual([]);
  expect(await takeHookNotice(hook, 'end')).toBeUndefined();
});

test('of claims the newest are kept; those that cannot be cleared away are no harm', async () => {
  const home = await temporaryFolder();
  const hook = { home, conversation: { host: 'codex' as const, conversation: 'c' } };
  const { run, taken } = recordPaths(home, hook.conversation);
  const stuck = { remove: () => Promise.reject(new Error('EBUSY')) };
  for (let upTo = 1; upTo <= 30; upTo += 1) {
    const state = { unread: 1, upTo, key: `${upTo}:0`, notice: 'x', atTurnEnd: false, wakes: 0 };
    await nodeFiles.write(run, JSON.stringify(state));
    const files = { ...nodeFiles, ...(upTo === 21 && stuck) };
    expect(await takeHookNotice({ ...hook, files }, 'tool'), state.key).toBe('x');
  }
  const kept = Array.from({ length: 20 }, (_, index) => `${index + 11}-0`);
  expect((await nodeFiles.list(taken)).toSorted()).toEqual(kept);
  const deaf = { ...nodeFiles, list: () => Promise.reject(new Error('EIO')) };
  const state = { unread: 1, upTo: 31, key: '31:0', notice: 'x', atTurnEnd: false, wakes: 0 };
  await nodeFiles.write(run, JSON.stringify(state));
  expect(await takeHookNotice({ ...hook, files: deaf }, 'tool')).toBe('x');
});

test('the run file tells headers only', async () => {
  const { hear, turn, hook, published } = await createHookedRig();
  turn(true);
  await hear('a secret body');
  await published('1:0');
  expect(await readRun(hook)).toEqual({
    unread: 1,
    upTo: 1,
    key: '1:0',
    notice: expect.stringMatching(/^Tandry: 1 unread/),
    atTurnEnd: false,
    wakes: 0,
  });
  expect(JSON.stringify(await readRun(hook))).not.toMatch('secret');
});

test('mail that comes after a hook has spoken waits for the end of the turn', async () => {
  const { hear, turn, hook, published, bridge } = await createHookedRig();
  turn(true);
  await hear('one');
  await published('1:0');
  await takeHookNotice(hook, 'tool');
  await hear('two');
  await published('2:0');
  expect(bridge.status().unread).toBe(2);
  expect((await readRun(hook))?.atTurnEnd).toBe(true);
  expect(await takeHookNotice(hook, 'tool')).toBeUndefined();
  expect(await takeHookNotice(hook, 'end')).toMatch('2 unread messages');
});

test('what the inbox result named as remaining is told at the end of the turn only', async () => {
  const { hub, room, alice, turn, hook, published, readInbox, bridge } = await createHookedRig();
  turn(true);
  for (let serial = 1; serial <= 25; serial += 1) hub.say(room, alice, { body: `no ${serial}` });
  await until(() => bridge.status().unread === 25);
  await readInbox();
  await published('25:20');
  expect(await takeHookNotice(hook, 'tool')).toBeUndefined();
  expect(await takeHookNotice(hook, 'end')).toMatch('5 unread messages');
});

describe('a monitor', () => {
  test('prints the notice when the counter grows, and its claim is the answer', async () => {
    const { hear, hook, shell, published } = await createHookedRig();
    const { promise, resolve } = Promise.withResolvers<void>();
    shell.answering = promise;
    await hear('one');
    await until(() => shell.wakes.length === 1);
    await published('1:0');
    expect((await readRun(hook))?.wakes).toBe(1);
    expect(await takeHookNotice(hook, 'wake')).toBe(shell.wakes[0]);
    expect(await takeHookNotice(hook, 'prompt'), 'a hook beside it stays silent').toBeUndefined();
    expect(await isNoticeTaken(hook, '1:0')).toBe(true);
    resolve();
    await until(async () => (await readRun(hook))?.notice === '');
  });

  test('sees each further attempt', async () => {
    const { hear, hook, shell, clock } = await createHookedRig();
    shell.refusals = 1;
    await hear('one');
    await until(() => clock.delaysMs.includes(1_000));
    expect((await readRun(hook))?.wakes).toBe(1);
    clock.advance(1_000);
    await until(async () => (await readRun(hook))?.wakes === 2);
  });
});

test('the counter goes on in the next process, where the same key is announced again', async () => {
  const { hear, hook, shell, bridge, createAnother } = await createHookedRig();
  const { promise, resolve } = Promise.withResolvers<void>();
  shell.answering = promise;
  await hear('one');
  await until(() => shell.wakes.length === 1);
  expect(await takeHookNotice(hook, 'wake')).toMatch('1 unread message');
  const resumed = createAnother();
  await resumed.start();
  await until(async () => (await readRun(hook))?.wakes === 2);
  expect(await takeHookNotice(hook, 'wake')).toMatch('1 unread message');
  resolve();
  await bridge.dispose();
});

test('a hook of a conversation that is not online says nothing', async () => {
  const { hook, bridge, hear, turn, published } = await createHookedRig();
  turn(true);
  await hear('one');
  await published('1:0');
  await bridge.dispose();
  expect(await takeHookNotice(hook, 'end')).toBeUndefined();
});
