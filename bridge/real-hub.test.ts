// The rules of the wake machine (protocol, section 5) once more, end to end: two bridges at the
// real Hub, each with a host that does what it is told.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, onTestFinished, test, vi } from 'vitest';
import { type RealHub, startRealHub } from '../clients/testing/real-hub.ts';
import { createNodeBridge, type NodeBridgeOptions } from './node/create-node-bridge.ts';
import { ManualClock } from './testing/manual-clock.ts';
import { RecordingShell } from './testing/recording-shell.ts';
import { temporaryHome } from './testing/temporary-home.ts';

// The assembly may have to be made first.
vi.setConfig({ testTimeout: 120_000, hookTimeout: 240_000 });

let hub: RealHub;
const homes = { ada: temporaryHome(), bob: temporaryHome() };
type Person = keyof typeof homes;

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  await vi.waitUntil(holds, { timeout: 20_000, interval: 10 });
}

/** A new conversation of somebody, and its host. */
function createConversation(person: Person, more: Partial<NodeBridgeOptions> = {}) {
  const shell = new RecordingShell();
  const home = homes[person];
  const bridge = createNodeBridge({
    ...{ host: 'codex', conversation: randomUUID(), shell, hub: hub.url, home },
    folder: () => home,
    environment: {},
    ...more,
  });
  onTestFinished(() => bridge.dispose());
  return { bridge, shell };
}

beforeAll(async () => {
  hub = await startRealHub();
  for (const person of ['ada', 'bob'] as const) {
    const home = homes[person];
    const bridge = createNodeBridge({
      ...{ host: 'codex', conversation: randomUUID(), shell: new RecordingShell() },
      ...{ hub: hub.url, home, folder: () => home, environment: {} },
    });
    await hub.approve((await bridge.call('login', { action: 'start' })).text, person);
    expect((await bridge.call('login', { action: 'start' })).text).toMatch('Signed in');
    await bridge.dispose();
  }
});
afterAll(() => hub.close());

/** Ada and Bob in a room of their own; Bob hears what Ada says. */
async function meet(more: Partial<NodeBridgeOptions> = {}) {
  const ada = createConversation('ada');
  const bob = createConversation('bob', more);
  const made = await ada.bridge.call('new_room', { name: 'Room', description: '' });
  const room = /[2-9A-Z]{4}-[2-9A-Z]{4}/.exec(made.text)?.[0] ?? '';
  for (const { bridge } of [ada, bob]) {
    const joined = await bridge.call('join', { room, name: 'me', intro: 'Here.' });
    expect(joined.isError, joined.text).toBe(false);
  }
  await until(() => bob.bridge.status().unreachable === undefined);
  const pair = {
    ...bob,
    async say(body: string): Promise<void> {
      const sent = await ada.bridge.call('send', { to: ['bob/me'], body });
      expect(sent.isError, sent.text).toBe(false);
    },
    /** Says it, and waits until Bob's bridge knows how many are unread. */
    async hear(body: string, unread: number): Promise<void> {
      await pair.say(body);
      await until(() => bob.bridge.status().unread === unread);
    },
    turn(isRunning: boolean): void {
      bob.shell.isIdle = !isRunning;
      bob.bridge.changed();
    },
    async readInbox(): Promise<string> {
      const { text, delivered } = await bob.bridge.call('inbox', {});
      await delivered();
      return text;
    },
    /** A turn of Bob's in which nothing happens; what was due before it has come after it. */
    async idleTurn(): Promise<void> {
      pair.turn(true);
      await bob.bridge.call('members', {});
      pair.turn(false);
      await bob.bridge.call('members', {});
    },
  };
  return pair;
}

const one = /^Tandry: 1 unread message from ada\/me\./;

test('idle: woken once for one state, also if it is ignored; new mail wakes again', async () => {
  const { shell, hear, idleTurn, say } = await meet();
  await hear('a secret', 1);
  await until(() => shell.wakes.length === 1);
  expect(shell.wakes[0]).toMatch(one);
  expect(shell.wakes[0]).not.toMatch('secret');
  await idleTurn();
  expect(shell.wakes).toHaveLength(1);
  await say('two');
  await until(() => shell.wakes.length === 2);
  expect(shell.wakes[1]).toMatch('2 unread messages');
});

test('busy: never interrupted; the boundary that carries the notice is its only place', async () => {
  const { shell, bridge, hear, turn, idleTurn } = await meet();
  turn(true);
  await hear('one', 1);
  expect(shell.wakes).toEqual([]);
  expect(bridge.takeNotice('tool')).toMatch(one);
  expect(bridge.takeNotice('tool')).toBeUndefined();
  expect(bridge.takeNotice('end')).toBeUndefined();
  turn(false);
  await idleTurn();
  expect(shell.wakes).toEqual([]);
});

test('a turn that ends untold is followed by a wake', async () => {
  const { shell, hear, turn } = await meet();
  turn(true);
  await hear('one', 1);
  turn(false);
  await until(() => shell.wakes.length === 1);
});

test('one unconsumed notice: later mail waits for the end of the turn that was told', async () => {
  const { bridge, hear, turn } = await meet();
  turn(true);
  await hear('one', 1);
  expect(bridge.takeNotice('prompt')).toMatch(one);
  await hear('two', 2);
  expect(bridge.takeNotice('tool')).toBeUndefined();
  expect(bridge.takeNotice('end')).toMatch('2 unread messages');
});

test('reading voids the notice, and what was handed over is unread no more', async () => {
  const { shell, bridge, hear, turn, readInbox, idleTurn } = await meet();
  turn(true);
  await hear('one', 1);
  expect(await readInbox()).toMatch('one');
  expect(bridge.status().unread).toBe(0);
  expect(bridge.takeNotice('end')).toBeUndefined();
  turn(false);
  await idleTurn();
  expect(shell.wakes).toEqual([]);
  expect(await readInbox()).toBe('The inbox is empty.');
});

test('a half-read inbox wakes once more', async () => {
  const { shell, bridge, say, turn, readInbox, idleTurn } = await meet();
  turn(true);
  for (let serial = 1; serial <= 23; serial += 1) await say(`no ${serial}`);
  await until(() => bridge.status().unread === 23);
  expect(await readInbox()).toMatch('no 20');
  expect(bridge.takeNotice('tool')).toBeUndefined();
  turn(false);
  await until(() => shell.wakes.length === 1);
  expect(shell.wakes[0]).toMatch('3 unread messages');
  await idleTurn();
  expect(shell.wakes).toHaveLength(1);
});

test('what comes between inbox and read is announced, and the next inbox waits', async () => {
  const { bridge, hear, say, turn } = await meet();
  turn(true);
  await hear('one', 1);
  const first = await bridge.call('inbox', {});
  await say('two');
  const order: string[] = [];
  const second = bridge.call('inbox', {}).then((result) => {
    order.push('second inbox');
    return result;
  });
  await bridge.call('members', {});
  await first.delivered().then(() => order.push('first read'));
  const { text, delivered } = await second;
  expect(order).toEqual(['first read', 'second inbox']);
  expect([first.text.includes('one'), text.includes('one')]).toEqual([true, false]);
  expect(text).toMatch('two');
  await delivered();
  await until(() => bridge.status().unread === 0);
});

test('a failed wake is tried after 1, 3 and 9 s, then shown in status', async () => {
  const clock = new ManualClock();
  const { shell, bridge, say } = await meet({ clock });
  shell.refusals = 4;
  await say('one');
  for (const [attempts, delayMs] of [
    [1, 1_000],
    [2, 3_000],
    [3, 9_000],
  ] as const) {
    await until(() => clock.delaysMs.includes(delayMs));
    expect(shell.wakes).toHaveLength(attempts);
    clock.advance(delayMs);
    await until(() => shell.wakes.length === attempts + 1);
  }
  await until(() => bridge.status().unreachable !== undefined);
  expect((await bridge.call('status', {})).text).toMatch('starting a turn failed');
});

test('a message of a process that died between inbox and read comes again', async () => {
  const conversation = randomUUID();
  const { bridge, hear, shell } = await meet({ conversation });
  await hear('one', 1);
  await until(() => shell.wakes.length === 1);
  const first = await bridge.call('inbox', {});
  await bridge.dispose();
  const next = createConversation('bob', { conversation });
  await next.bridge.start();
  await until(() => next.shell.wakes.length === 1);
  const again = await next.bridge.call('inbox', {});
  const idsOf = (text: string) => text.match(/\bm_[0-9a-z]+/g);
  expect(idsOf(again.text)).toEqual(idsOf(first.text));
  await again.delivered();
});
