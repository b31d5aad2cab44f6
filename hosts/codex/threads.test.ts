// Which conversations of the real Codex take part, and what those that cannot be woken say.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { AppServer } from '../testing/app-server.ts';
import type { Codex } from '../testing/codex.ts';
import { outputOf } from '../testing/model-request.ts';
import { order } from '../testing/obedience.ts';
import { newRoom, type Stage, startStage } from '../testing/stage.ts';

let stage: Stage;
let codex: Codex;
let server: AppServer;

beforeAll(async () => {
  stage = await startStage();
  codex = await stage.install();
  server = await stage.serve(codex);
  await server.trustHooks();
});

afterAll(() => stage.close());

/** The output of the newest call in a thread. */
const lastOutput = (thread: string) =>
  stage.model.transcript(thread).map(outputOf).filter(Boolean).at(-1) ?? '';

test('the model is offered the tools, and not the one of the hooks', async () => {
  const thread = await server.startThread();
  await server.turn(thread, 'Hello.');
  const offered = stage.model.of(thread)[0]?.tools ?? [];
  const names = offered
    .filter(({ namespace }) => namespace === 'mcp__tandry')
    .map(({ name }) => name);
  expect(names.toSorted()).toEqual([
    ...['history', 'inbox', 'join', 'leave', 'login', 'members', 'new_room', 'rename', 'send'],
    ...['status', 'update_room'],
  ]);
  const skills = JSON.stringify(stage.model.of(thread)[0]?.body);
  for (const name of ['join', 'leave', 'members', 'new-room', 'status']) {
    expect(skills).toContain(`tandry:${name}`);
  }
});

test('Codex has nothing to say against the hooks', async () => {
  expect(await server.hookComplaints()).toEqual([]);
});

test('a machine is signed in by its owner, from the link that the agent shows', async () => {
  const { joinOrder, others } = await newRoom(stage);
  const newcomer = await stage.serve(await stage.install({ isSignedIn: false }));
  await newcomer.trustHooks();
  const thread = await newcomer.startThread();
  await newcomer.turn(thread, joinOrder);
  expect(lastOutput(thread)).toContain('Error not_logged_in');
  await newcomer.turn(thread, order('login', { action: 'start' }));
  await stage.hub.approve(lastOutput(thread), 'gardener');
  await newcomer.turn(thread, order('login', { action: 'start' }));
  expect(lastOutput(thread)).toContain('Signed in as gardener.');
  await newcomer.turn(thread, joinOrder);
  expect(lastOutput(thread)).toContain('as gardener/garden.');
  await expect.poll(others).toMatchObject([{ state: 'online', wakeable: true }]);
  await newcomer.stop();
});

test('a conversation that never joined asks the Hub nothing', async () => {
  const { calls, linkCount } = stage.hub;
  const before = [calls.length, linkCount()];
  const thread = await server.startThread();
  await server.turn(thread, `Work. ${order('exec_command', { cmd: 'true' })}`);
  await server.turn(thread, 'Work on.');
  expect(stage.model.transcript(thread).map(outputOf).filter(Boolean)).toHaveLength(1);
  expect([calls.length, linkCount()]).toEqual(before);
});

test('a subagent is refused; the conversation that started it stays a member', async () => {
  const { joinedThread, joinOrder, others } = await newRoom(stage);
  const { linkCount } = stage.hub;
  const thread = await joinedThread(server);
  const before = linkCount();
  const isOfSubagent = ({ parent }: { parent: string | undefined }) => parent === thread;
  for (const forbidden of [order('inbox', {}), joinOrder]) {
    const ending = stage.model.hold(
      (asked) => isOfSubagent(asked) && asked.items.some(({ type }) => type.endsWith('_output')),
    );
    await server.turn(thread, order('spawn_agent', { message: `Do this: ${forbidden}` }));
    const { thread: subagent } = await ending.arrived;
    expect(subagent).not.toBe(thread);
    expect(lastOutput(subagent)).toContain('Error not_in_room: only top-level conversations');
    ending.release();
  }
  expect(linkCount()).toBe(before);
  expect(await others()).toMatchObject([{ state: 'online' }]);
});

test('a fork is another conversation, and no member', async () => {
  const { joinedThread, others, say, unreadAt } = await newRoom(stage);
  const thread = await joinedThread(server);
  const fork = await server.fork(thread);
  expect(fork).not.toBe(thread);
  await server.turn(fork, order('inbox', {}));
  expect(lastOutput(fork)).toContain('Error not_in_room');
  expect(await others()).toHaveLength(1);
  await say('still there?');
  await unreadAt(codex, thread, 1);
});

test('resumed by another process, it is the same member, and hears what it missed', async () => {
  const { joinedThread, others, say, notices, idle } = await newRoom(stage);
  const first = await stage.serve(codex);
  const thread = await joinedThread(first);
  await first.stop();
  await expect.poll(others).toMatchObject([{ state: 'offline' }]);
  await say('while you were out');
  const second = await stage.serve(codex);
  await second.resume(thread);
  await second.turn(thread, order('status', {}));
  expect(stage.model.transcript(thread).map(outputOf).join()).toContain('/garden in the room');
  // By the first boundary after the link has opened, or by a wake.
  await expect.poll(() => lastOutput(thread)).toContain('while you were out');
  await idle();
  expect(notices(thread)).toBe(1);
  expect(await others()).toHaveLength(1);
});

test('without trusted hooks, join and status say what to do', async () => {
  const { joinOrder, others } = await newRoom(stage);
  const untrusted = await stage.install();
  const unknowing = await stage.serve(untrusted);
  const thread = await unknowing.startThread();
  await unknowing.turn(thread, joinOrder);
  expect(lastOutput(thread)).toMatch(/Joined the room .*Notices will not reach it: .*\/hooks/s);
  // What it reports once its link is open: no hook tells that the turn has ended.
  await expect.poll(others).toMatchObject([{ wakeable: false, busy: true }]);
  await unknowing.turn(thread, order('status', {}));
  expect(lastOutput(thread)).toMatch(/Notices do not reach it now: .*\/hooks/s);
  expect(await others()).toMatchObject([{ state: 'offline', wakeable: false }]);
  expect(await unknowing.trustHooks()).toEqual(Array(5).fill('trusted'));
  await unknowing.turn(thread, order('status', {}));
  expect(lastOutput(thread)).toContain('Notices of new messages reach it.');
  await expect.poll(others).toMatchObject([{ state: 'online', wakeable: true }]);
});

test('a run of codex exec says that it cannot be woken', async () => {
  const { joinOrder, others, isHere } = await newRoom(stage);
  const ending = stage.model.hold(
    (asked) => isHere(asked) && asked.items.some(({ type }) => type.endsWith('_output')),
  );
  const exec = codex.run('exec', '--skip-git-repo-check', `Join. ${joinOrder}`);
  const { thread } = await ending.arrived;
  expect(lastOutput(thread)).toContain('Notices will not reach it: this is a single run');
  await expect.poll(others).toMatchObject([{ busy: true, wakeable: false }]);
  ending.release();
  await exec;
  await expect.poll(others).toMatchObject([{ state: 'offline' }]);
});

test('leaving ends the membership, also where Codex asks nobody', async () => {
  const { joinedThread, others } = await newRoom(stage);
  const thread = await joinedThread(server);
  await server.turn(thread, order('leave', {}));
  expect(lastOutput(thread)).toContain('has left the room');
  expect(await others()).toEqual([]);
});
