// How a conversation in the real Codex hears of mail: idle, at a tool, at the end of a turn; once.
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { AppServer } from '../testing/app-server.ts';
import type { Codex } from '../testing/codex.ts';
import type { Item, ModelRequest } from '../testing/model-request.ts';
import { countNotices, order } from '../testing/obedience.ts';
import { newRoom, type Stage, startStage } from '../testing/stage.ts';

let stage: Stage;
let codex: Codex;
let server: AppServer;

beforeAll(async () => {
  stage = await startStage();
  codex = await stage.install();
  server = await stage.serve(codex);
  expect(await server.trustHooks()).toEqual(Array(5).fill('trusted'));
});

afterAll(() => stage.close());

beforeEach(() => {
  stage.model.followsNotices = true;
});

const of = (thread: string) => (request: ModelRequest) => request.thread === thread;

/** Items of requests that hold a text, each as the model got it. */
function itemsWith(text: string): Item[] {
  return stage.model.requests.flatMap(({ items }) =>
    items.filter((item) => JSON.stringify(item).includes(text)),
  );
}

/** That the model was told a text by the inbox tool, and by nothing else. */
function expectOnlyFromInbox(thread: string, body: string): void {
  const told = itemsWith(body);
  expect(told.length).toBeGreaterThan(0);
  const inboxCalls = stage.model
    .transcript(thread)
    .filter(({ type, name }) => type === 'function_call' && name === 'inbox')
    .map(({ call_id }) => call_id);
  for (const { type, call_id } of told) {
    expect(type).toBe('function_call_output');
    expect(inboxCalls).toContain(call_id);
  }
  // And nowhere outside the transcript, such as in instructions or tools.
  for (const { body: sent } of stage.model.requests) {
    expect(JSON.stringify({ ...sent, input: [] })).not.toContain(body);
  }
}

test('idle, it is woken, and the body comes by the inbox alone', async () => {
  const { joinedThread, say, notices } = await newRoom(stage);
  const thread = await joinedThread(server);
  const woken = server.watchTurn(thread);
  await say('the larch is ill');
  await woken();
  expectOnlyFromInbox(thread, 'the larch is ill');
  expect(notices(thread)).toBe(1);
});

test('busy, it is told beside the result of the tool that has run', async () => {
  const { joinedThread, say, notices, unreadAt, idle } = await newRoom(stage);
  const thread = await joinedThread(server);
  const held = stage.model.hold(of(thread));
  const { ended } = await server.startTurn(thread, `Work. ${order('members', {})}`);
  await held.arrived;
  await say('the birch is fine');
  await unreadAt(codex, thread, 1);
  const next = stage.model.hold(of(thread));
  held.release();
  const { news } = await next.arrived;
  expect(countNotices(news)).toBe(1);
  next.release();
  await ended;
  await idle();
  expectOnlyFromInbox(thread, 'the birch is fine');
  expect(notices(thread)).toBe(1);
});

test('at the end of a turn it is told too, and goes on', async () => {
  const { joinedThread, say, notices, unreadAt, idle } = await newRoom(stage);
  const thread = await joinedThread(server);
  const held = stage.model.hold(of(thread));
  const { ended } = await server.startTurn(thread, 'Think.');
  await held.arrived;
  await say('the oak is old');
  await unreadAt(codex, thread, 1);
  held.release();
  await ended;
  await idle();
  expectOnlyFromInbox(thread, 'the oak is old');
  expect(notices(thread)).toBe(1);
});

test('the end of a turn tells of one state once, even if that is ignored', async () => {
  const { joinedThread, say, notices, unreadAt, idle } = await newRoom(stage);
  const thread = await joinedThread(server);
  stage.model.followsNotices = false;
  const held = stage.model.hold(of(thread));
  const { ended } = await server.startTurn(thread, 'Think.');
  await held.arrived;
  await say('the yew is slow');
  await unreadAt(codex, thread, 1);
  held.release();
  await ended;
  await server.turn(thread, 'Think on.');
  await idle();
  expect(notices(thread)).toBe(1);
  // Once in the prompt that Codex made of it: the turn went on, and ended at its next end.
  expect(stage.model.of(thread).filter(({ news }) => countNotices(news) > 0)).toHaveLength(1);
});

test('a notice that is ignored is not repeated; new mail is told again', async () => {
  const { joinedThread, say, notices, unreadAt, idle } = await newRoom(stage);
  const thread = await joinedThread(server);
  stage.model.followsNotices = false;
  const held = stage.model.hold(of(thread));
  const { ended } = await server.startTurn(thread, `Work. ${order('members', {})}`);
  await held.arrived;
  await say('the elm is gone');
  await unreadAt(codex, thread, 1);
  held.release();
  await ended;
  // Past the tool, the end of that turn, and another turn with all its hooks.
  await server.turn(thread, `Work on. ${order('members', {})}`);
  await idle();
  expect(notices(thread)).toBe(1);
  stage.model.followsNotices = true;
  const woken = server.watchTurn(thread);
  await say('the elm is back');
  await woken();
  expect(notices(thread)).toBe(2);
  expectOnlyFromInbox(thread, 'the elm is gone');
  expectOnlyFromInbox(thread, 'the elm is back');
});

test('interrupted, it says that it cannot be woken; the next prompt brings the notice', async () => {
  const { joinedThread, say, notices, others, unreadAt, idle } = await newRoom(stage);
  const thread = await joinedThread(server);
  const held = stage.model.hold(of(thread));
  const { ended } = await server.startTurn(thread, 'Think long.');
  await held.arrived;
  await server.interrupt(thread);
  await ended;
  held.release();
  await expect.poll(others).toMatchObject([{ wakeable: false, busy: false }]);
  await say('the pine is tall');
  await unreadAt(codex, thread, 1);
  const next = stage.model.hold(of(thread));
  const turn = await server.startTurn(thread, 'Go on.');
  const { news } = await next.arrived;
  expect([news.includes('Go on.'), countNotices(news)]).toEqual([true, 1]);
  next.release();
  await turn.ended;
  await idle();
  expectOnlyFromInbox(thread, 'the pine is tall');
  expect(notices(thread)).toBe(1);
});

test('a turn that fails tells nobody, yet Codex can be woken after it', async () => {
  const { joinedThread, say } = await newRoom(stage);
  const thread = await joinedThread(server);
  const held = stage.model.hold(of(thread));
  const { ended } = await server.startTurn(thread, 'Think.');
  await held.arrived;
  held.release({ kind: 'refuse', status: 400 });
  await ended;
  // What the plugin does once it has heard nothing of the turn for long.
  await say('the ash is dry');
  const woken = server.watchTurn(thread);
  await codex.run('queue', `--thread=${thread}`, `--message=${order('inbox', {})}`);
  await woken();
  expectOnlyFromInbox(thread, 'the ash is dry');
});
