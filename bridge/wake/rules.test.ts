// Every rule of the wake machine (protocol, section 5), on real sockets with a standing clock.
import { describe, expect, test } from 'vitest';
import { nodeFiles } from '../node/files/file-access.ts';
import { createJoinedRig, type Rig, until } from '../testing/rig.ts';

/** Lets the bridge see a frame that changes the count alone, so that all before it is seen. */
async function settle({ hub, room, bridge, member }: Rig): Promise<void> {
  const upTo = room.log.length;
  const unread = bridge.status().unread + 1;
  const [link] = hub.links.open.filter((open) => open.member === member());
  hub.links.send({ t: 'notify', unread, upTo, from: ['alice/review'] }, link);
  await until(() => bridge.status().unread === unread);
}

const oneFromAlice = /^Tandry: 1 unread message from alice\/review\. Call the Tandry inbox tool/;

test('an idle conversation is woken with the notice', async () => {
  const { shell, hear } = await createJoinedRig();
  await hear('a secret body');
  await until(() => shell.wakes.length === 1);
  expect(shell.wakes[0]).toMatch(oneFromAlice);
  expect(shell.wakes[0]).not.toMatch('secret');
});

test('consumed: what was handed over is unread no more', async () => {
  const { shell, bridge, hear, readInbox, hub, room, alice } = await createJoinedRig();
  await hear('one');
  expect(await readInbox()).toMatch('one');
  expect(bridge.status().unread).toBe(0);
  hub.links.send({ t: 'notify', unread: 1, upTo: 1, from: ['alice/review'] });
  hub.say(room, alice, { body: 'two' });
  await until(() => bridge.status().unread === 1);
  await until(() => shell.wakes.length === 2);
});

test('one notice per key: the same unread state is announced once', async () => {
  const rig = await createJoinedRig();
  await rig.hear('one');
  await until(() => rig.shell.wakes.length === 1);
  rig.turn(true);
  rig.turn(false);
  await settle(rig);
  rig.turn(true);
  rig.turn(false);
  await rig.quiet();
  expect(rig.shell.wakes).toHaveLength(1);
});

test('an ignored notice is not repeated, but new mail is announced', async () => {
  const { shell, hear, turn, bridge, quiet } = await createJoinedRig();
  await hear('one');
  await until(() => shell.wakes.length === 1);
  turn(true);
  expect(bridge.takeNotice('tool')).toBeUndefined();
  expect(bridge.takeNotice('end')).toBeUndefined();
  turn(false);
  await quiet();
  expect(shell.wakes).toHaveLength(1);
  await hear('two');
  await until(() => shell.wakes.length === 2);
  expect(shell.wakes[1]).toMatch('2 unread messages');
});

describe('at most one unconsumed notice per conversation', () => {
  test('a queued one holds back the next until its turn has ended', async () => {
    const { shell, hear, turn, quiet } = await createJoinedRig();
    await hear('one');
    await until(() => shell.wakes.length === 1);
    await hear('two');
    await quiet();
    expect(shell.wakes).toHaveLength(1);
    turn(true);
    turn(false);
    await until(() => shell.wakes.length === 2);
    expect(shell.wakes[1]).toMatch('2 unread messages');
  });

  test('one that a turn was shown holds back the next in that turn', async () => {
    const { bridge, hear, turn } = await createJoinedRig();
    turn(true);
    await hear('one');
    expect(bridge.takeNotice('tool')).toMatch(oneFromAlice);
    await hear('two');
    expect(bridge.takeNotice('tool')).toBeUndefined();
    expect(bridge.takeNotice('end')).toMatch('2 unread messages');
    expect(bridge.takeNotice('end')).toBeUndefined();
  });

  test('one that the host is still taking holds back the next, at every place', async () => {
    const { shell, bridge, hear, turn, quiet } = await createJoinedRig();
    const { promise, resolve } = Promise.withResolvers<void>();
    shell.answering = promise;
    await hear('one');
    await until(() => shell.wakes.length === 1);
    bridge.changed();
    await hear('two');
    for (const boundary of ['prompt', 'tool', 'end'] as const) {
      expect(bridge.takeNotice(boundary), boundary).toBeUndefined();
    }
    await quiet();
    expect(shell.wakes).toHaveLength(1);
    resolve();
    await quiet();
    turn(true);
    turn(false);
    await until(() => shell.wakes.length === 2);
    expect(shell.wakes[1]).toMatch('2 unread messages');
  });

  test('one without any effect holds back the next for ten minutes', async () => {
    const { shell, clock, hear, quiet } = await createJoinedRig();
    await hear('one');
    await until(() => shell.wakes.length === 1);
    await hear('two');
    clock.advance(10 * 60_000 - 1);
    await quiet();
    expect(shell.wakes).toHaveLength(1);
    clock.advance(1);
    await until(() => shell.wakes.length === 2);
  });
});

test('a half-read inbox wakes once more', async () => {
  const { shell, hub, room, alice, bridge, hear, turn, readInbox, quiet } = await createJoinedRig();
  turn(true);
  for (let serial = 1; serial < 25; serial += 1) hub.say(room, alice, { body: `no ${serial}` });
  await hear('no 25');
  await until(() => bridge.status().unread === 25);
  expect(await readInbox()).toMatch('5 more unread messages from alice/review: call inbox again.');
  expect(bridge.takeNotice('tool'), 'the result has just said so').toBeUndefined();
  turn(false);
  await until(() => shell.wakes.length === 1);
  expect(shell.wakes[0]).toMatch('Tandry: 5 unread messages');
  turn(true);
  turn(false);
  await quiet();
  expect(shell.wakes).toHaveLength(1);
});

test('a half-read inbox is told at the end of the turn, if the host has that place', async () => {
  const { shell, hub, room, alice, bridge, turn, readInbox, quiet } = await createJoinedRig();
  turn(true);
  for (let serial = 1; serial <= 25; serial += 1) hub.say(room, alice, { body: `no ${serial}` });
  await until(() => bridge.status().unread === 25);
  await readInbox();
  expect(bridge.takeNotice('end')).toMatch('Tandry: 5 unread messages');
  expect(await readInbox()).toMatch('Nothing else is unread.');
  turn(false);
  await quiet();
  expect(shell.wakes).toEqual([]);
});

test('a running turn is never interrupted', async () => {
  const { shell, hear, turn, quiet } = await createJoinedRig();
  turn(true);
  await hear('one');
  await quiet();
  expect(shell.wakes).toEqual([]);
  turn(false);
  await until(() => shell.wakes.length === 1);
});

test('a turn that begins while the wake is prepared is not interrupted either', async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  const gate = { until: Promise.resolve() };
  const files = {
    ...nodeFiles,
    write: async (path: string, text: string) => {
      await gate.until;
      await nodeFiles.write(path, text);
    },
  };
  const { shell, hear, turn, bridge, quiet } = await createJoinedRig({ files });
  gate.until = promise;
  await hear('one');
  turn(true);
  resolve();
  await quiet();
  expect(shell.wakes).toEqual([]);
  expect(bridge.takeNotice('tool')).toMatch(oneFromAlice);
});

test('a conversation that cannot be woken is woken once it can', async () => {
  const { shell, hear, bridge, member, quiet } = await createJoinedRig();
  shell.isWakeable = false;
  bridge.changed();
  await until(() => member().wakeable === false);
  await hear('one');
  await quiet();
  expect(shell.wakes).toEqual([]);
  expect(bridge.status().unreachable).toBe('The session has had no prompt yet.');
  shell.isWakeable = true;
  bridge.changed();
  await until(() => shell.wakes.length === 1);
});

test('a boundary that carries the notice marks its key announced', async () => {
  const { shell, bridge, hear, turn, quiet } = await createJoinedRig();
  turn(true);
  await hear('one');
  expect(bridge.takeNotice('tool')).toMatch(oneFromAlice);
  expect(bridge.takeNotice('tool')).toBeUndefined();
  expect(bridge.takeNotice('end')).toBeUndefined();
  turn(false);
  await quiet();
  expect(shell.wakes).toEqual([]);
});

describe('a failed wake', () => {
  test('is tried again after 1, 3 and 9 s, then shown in status', async () => {
    const { shell, clock, bridge, hear, member, quiet } = await createJoinedRig();
    shell.refusals = 4;
    await hear('one');
    for (const [attempts, delayMs] of [
      [1, 1_000],
      [2, 3_000],
      [3, 9_000],
    ] as const) {
      await until(() => clock.delaysMs.includes(delayMs));
      expect(bridge.status().unreachable).toBeUndefined();
      clock.advance(delayMs - 1);
      await quiet();
      expect(shell.wakes).toHaveLength(attempts);
      clock.advance(1);
      await until(() => shell.wakes.length === attempts + 1);
    }
    await until(() => bridge.status().unreachable !== undefined);
    expect((await bridge.call('status', {})).text).toMatch(
      'Notices do not reach it now: starting a turn failed: no rollout found',
    );
    await until(() => member().wakeable === false);
    clock.advance(4 * 60_000);
    await quiet();
    expect(shell.wakes).toHaveLength(4);
  });

  test('is over when a boundary carries the notice', async () => {
    const { shell, clock, bridge, hear, turn, quiet } = await createJoinedRig();
    shell.refusals = 1;
    await hear('one');
    await until(() => clock.delaysMs.includes(1_000));
    turn(true);
    expect(bridge.takeNotice('prompt')).toMatch(oneFromAlice);
    turn(false);
    clock.advance(60_000);
    await quiet();
    expect(shell.wakes).toHaveLength(1);
  });

  test('for good is forgotten with new mail', async () => {
    const { shell, clock, bridge, hear } = await createJoinedRig();
    shell.refusals = 4;
    await hear('one');
    for (const [index, delayMs] of [1_000, 3_000, 9_000].entries()) {
      await until(() => shell.wakes.length === index + 1 && clock.delaysMs.includes(delayMs));
      clock.advance(delayMs);
    }
    await until(() => bridge.status().unreachable !== undefined);
    await hear('two');
    await until(() => shell.wakes.length === 5);
    await until(() => bridge.status().unreachable === undefined);
  });
});

test('an inbox read voids a pending notice', async () => {
  const { shell, bridge, hear, turn, readInbox, quiet } = await createJoinedRig();
  turn(true);
  await hear('one');
  await readInbox();
  expect(bridge.takeNotice('end')).toBeUndefined();
  turn(false);
  await quiet();
  expect(shell.wakes).toEqual([]);
});

test('an inbox read voids a notice that waits to be tried again', async () => {
  const { shell, clock, hear, readInbox, quiet } = await createJoinedRig();
  shell.refusals = 1;
  await hear('one');
  await until(() => clock.delaysMs.includes(1_000));
  await readInbox();
  clock.advance(60_000);
  await quiet();
  expect(shell.wakes).toHaveLength(1);
});

test('an empty inbox voids a pending notice too', async () => {
  const { shell, bridge, hub, turn, readInbox, quiet } = await createJoinedRig();
  turn(true);
  hub.links.send({ t: 'notify', unread: 1, upTo: 7, from: ['alice/review'] });
  await until(() => bridge.status().unread === 1);
  expect(await readInbox()).toBe('The inbox is empty.');
  turn(false);
  await quiet();
  expect(shell.wakes).toEqual([]);
});

test('a notice that arrives during a read is not lost', async () => {
  const { shell, hub, room, alice, bridge, hear, turn, quiet } = await createJoinedRig();
  turn(true);
  await hear('one');
  const { promise, resolve } = Promise.withResolvers<void>();
  hub.fail('inbox', { kind: 'hold_answer', until: promise });
  const reading = bridge.call('inbox', {});
  await until(() => hub.inputsOf('inbox').length === 1);
  hub.say(room, alice, { body: 'two' });
  await until(() => bridge.status().unread === 2);
  expect(bridge.takeNotice('tool'), 'while it reads').toBeUndefined();
  resolve();
  const { text, delivered } = await reading;
  expect(text).toMatch('one');
  expect(text).not.toMatch('two');
  await delivered();
  expect(bridge.takeNotice('tool')).toMatch(oneFromAlice);
  turn(false);
  await quiet();
  expect(shell.wakes).toEqual([]);
});

test('a wake that the host takes while the inbox is read holds nothing back', async () => {
  const { shell, hear, readInbox } = await createJoinedRig();
  const { promise, resolve } = Promise.withResolvers<void>();
  shell.answering = promise;
  await hear('one');
  await until(() => shell.wakes.length === 1);
  await readInbox();
  resolve();
  shell.answering = undefined;
  await hear('two');
  await until(() => shell.wakes.length === 2);
});

test('a new process announces what is unread once more', async () => {
  const rig = await createJoinedRig();
  await rig.hear('one');
  await until(() => rig.shell.wakes.length === 1);
  await rig.bridge.dispose();
  const resumed = rig.createAnother();
  await resumed.start();
  await until(() => rig.shell.wakes.length === 2);
  await resumed.dispose();
});
