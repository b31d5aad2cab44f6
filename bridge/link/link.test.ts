// The room link's timing and ends (protocol, section 3), on real sockets with a standing clock.
import { describe, expect, test } from 'vitest';
import type { LinkEnd } from '../../protocol/frames.ts';
import { Agents } from '../node/proxy.ts';
import { nodeSocket } from '../node/socket.ts';
import { createJoinedRig, createRig, type Rig, until } from '../testing/rig.ts';
import type { OpenSocket } from './socket.ts';

const secondMs = 1_000;
const minuteMs = 60_000;

const phaseOf = ({ bridge }: Rig) => bridge.status().unreachable;
test('the upgrade carries the headers of an operation', async () => {
  const { hub, room, conversation, signIn, join } = await createRig();
  const token = await signIn();
  await join();
  expect(hub.links.upgrades[0]).toMatchObject({
    'tandry-protocol': '1',
    authorization: `Bearer ${token}`,
    'tandry-room': room.id,
    'tandry-host': 'codex',
    'tandry-conversation': conversation,
  });
});

describe('staying alive', () => {
  test('a ping every 60 s, and nothing happens while it is answered', async () => {
    const { hub, clock } = await createJoinedRig();
    for (const pings of [1, 2, 3]) {
      clock.advance(60 * secondMs);
      await until(() => hub.links.received.filter((text) => text === 'ping').length === pings);
      await until(() => !clock.delaysMs.includes(10 * secondMs));
    }
    expect(hub.links.opened).toBe(1);
  });

  test('without an answer within 10 s it is opened anew', async () => {
    const { hub, clock } = await createJoinedRig();
    hub.links.isSilent = true;
    clock.advance(60 * secondMs);
    await until(() => hub.links.received.includes('ping'));
    clock.advance(10 * secondMs - 1);
    expect(hub.links.open).toHaveLength(1);
    clock.advance(1);
    await until(() => hub.links.open.length === 0);
    await until(() => clock.delaysMs.includes(secondMs));
    clock.advance(secondMs);
    await until(() => hub.links.opened === 2);
  });

  test('any traffic counts as the answer', async () => {
    const { hub, clock } = await createJoinedRig();
    hub.links.isSilent = true;
    clock.advance(60 * secondMs);
    await until(() => hub.links.received.includes('ping'));
    hub.links.send('not a frame');
    await until(() => !clock.delaysMs.includes(10 * secondMs));
    clock.advance(10 * secondMs);
    expect(hub.links.open).toHaveLength(1);
  });

  test('a handshake without an answer is given up after 15 s', async () => {
    const { hub, clock, signIn, bridge, room } = await createRig();
    await signIn();
    hub.links.isHanging = true;
    await bridge.call('join', { room: room.shownCode, intro: 'x' });
    await until(() => hub.links.upgrades.length === 1);
    clock.advance(15 * secondMs);
    await until(() => clock.delaysMs.includes(secondMs));
    hub.links.isHanging = false;
    clock.advance(secondMs);
    await until(() => hub.links.opened === 1);
  });
});

describe('reconnecting', () => {
  const delays = [1, 2, 5, 15, 30, 30];

  test.each([
    ['0.75', 0, 0.75],
    ['0.95', 0.4, 0.95],
    ['almost 1.25', 0.999, 1.2495],
  ])('after 1, 2, 5, 15, 30 s and then 30 s, times %s', async (_name, fraction, factor) => {
    const random = { bytes: (count: number) => new Uint8Array(count), fraction: () => fraction };
    const { hub, clock } = await createJoinedRig({ random });
    hub.links.refusal = 503;
    hub.links.cut();
    for (const [failures, seconds] of delays.entries()) {
      const delayMs = seconds * secondMs * factor;
      await until(() => clock.delaysMs.some((waiting) => Math.abs(waiting - delayMs) < 0.01));
      clock.advance(delayMs - 1);
      expect(hub.links.upgrades).toHaveLength(1 + failures);
      clock.advance(2);
      await until(() => hub.links.upgrades.length === 2 + failures);
    }
  });

  test('a link that held for a minute starts again at 1 s', async () => {
    const { hub, clock, pass, bridge } = await createJoinedRig();
    for (const opened of [2, 3]) {
      await pass(1);
      hub.links.cut();
      await until(() => clock.delaysMs.includes(secondMs));
      clock.advance(secondMs);
      await until(() => bridge.status().unreachable === undefined);
      expect(hub.links.opened).toBe(opened);
    }
  });

  test('a link that keeps breaking is opened ever later', async () => {
    const { hub, clock, bridge } = await createJoinedRig();
    for (const seconds of [1, 2, 5]) {
      hub.links.cut();
      await until(() => clock.delaysMs.includes(seconds * secondMs));
      clock.advance(seconds * secondMs);
      await until(() => bridge.status().unreachable === undefined);
    }
    expect(hub.links.opened).toBe(4);
  });

  test('mail of the meantime is announced', async () => {
    const { hub, clock, room, alice, shell } = await createJoinedRig();
    hub.links.cut();
    await until(() => clock.delaysMs.includes(secondMs));
    hub.say(room, alice, { body: 'while you were out' });
    clock.advance(secondMs);
    await until(() => shell.wakes.length === 1);
  });

  test('operations work meanwhile, and status says why no notice comes', async () => {
    const rig = await createJoinedRig();
    rig.hub.links.refusal = 503;
    rig.hub.links.cut();
    await until(() => phaseOf(rig) !== undefined);
    expect(phaseOf(rig)).toMatch('no connection to the Hub');
    expect((await rig.bridge.call('members', {})).isError).toBe(false);
  });
});

describe('the state frame', () => {
  const states = ({ hub }: Rig) =>
    hub.links.received.filter((text) => text.includes('"state"')).map((text) => JSON.parse(text));

  test('is sent right after opening, on every change, and every 5 minutes', async () => {
    const rig = await createJoinedRig();
    const { shell, bridge, turn, pass } = rig;
    await until(() => states(rig).length === 1);
    turn(true);
    bridge.changed();
    await until(() => states(rig).length === 2);
    shell.isWakeable = false;
    bridge.changed();
    await until(() => states(rig).length === 3);
    await pass(4);
    expect(states(rig)).toHaveLength(3);
    await pass(1);
    await until(() => states(rig).length === 4);
    const reason = 'The session has had no prompt yet.';
    expect(states(rig)).toEqual([
      { t: 'state', wakeable: true, busy: false },
      { t: 'state', wakeable: true, busy: true },
      { t: 'state', wakeable: false, busy: true, reason },
      { t: 'state', wakeable: false, busy: true, reason },
    ]);
  });

  test('is sent again on a new link', async () => {
    const rig = await createJoinedRig();
    rig.hub.links.cut();
    await until(() => rig.clock.delaysMs.includes(secondMs));
    rig.clock.advance(secondMs);
    await until(() => states(rig).length === 2);
  });
});

describe('rotation', () => {
  test.each([
    [105, 0],
    [110, 0.5],
    [114.99, 0.999],
  ])('after %d minutes a new link is opened, the old one closed after', async (minutes, lot) => {
    const random = { bytes: (count: number) => new Uint8Array(count), fraction: () => lot };
    const { hub, clock, shell, hear, bridge, pass } = await createJoinedRig({ random });
    const [old] = hub.links.open;
    hub.links.isHanging = true;
    await pass(Math.ceil(minutes) - 1);
    expect(hub.links.upgrades).toHaveLength(1);
    clock.advance(minuteMs);
    await until(() => hub.links.upgrades.length === 2);
    expect(hub.links.open, 'the new one is not open yet').toEqual([old]);
    hub.links.send({ t: 'state', link: 'superseded' }, old);
    hub.links.send({ t: 'notify', unread: 7, upTo: 7, from: [] }, old);
    await until(() => bridge.status().unread === 7);
    expect(bridge.status().unreachable, 'it was superseded by itself').toBeUndefined();
    hub.links.isHanging = false;
    clock.advance(15 * secondMs);
    await until(() => clock.delaysMs.some((delayMs) => delayMs < 1_300));
    clock.advance(1_300);
    await until(() => hub.links.opened === 2 && hub.links.open.length === 1);
    expect(hub.links.open[0]).not.toBe(old);
    expect(bridge.status().unreachable).toBeUndefined();
    await hear('on the new link');
    await until(() => shell.wakes.length === 1);
  });

  test('being superseded by oneself is no end', async () => {
    const rig = await createJoinedRig();
    await rig.pass(110);
    await until(() => rig.hub.links.opened === 2 && rig.hub.links.open.length === 1);
    expect(phaseOf(rig)).toBeUndefined();
    await rig.hear('still there');
    await until(() => rig.shell.wakes.length === 1);
  });
});

/** Tells the end by a frame, as this Hub does, or by a close code, as others do. */
const ways: [string, (rig: Rig, end: LinkEnd, code: number) => void][] = [
  ['state frame', ({ hub }, link) => hub.links.send({ t: 'state', link })],
  ['close code', ({ hub }, _end, code) => hub.links.close(code)],
];

describe.each(ways)('ended by a %s', (_name, tell) => {
  test('superseded: closes, announces nothing, keeps the marker, still works', async () => {
    const rig = await createJoinedRig();
    rig.turn(true);
    await rig.hear('one');
    tell(rig, 'superseded', 4001);
    await until(() => rig.linkCount() === 0);
    rig.clock.advance(10 * minuteMs);
    expect(rig.hub.links.upgrades).toHaveLength(1);
    expect(phaseOf(rig)).toMatch('open in another process');
    expect(rig.bridge.takeNotice('end')).toBeUndefined();
    expect((await rig.bridge.call('members', {})).isError).toBe(false);
    expect(rig.hasMarker()).toBe(true);
  });

  test.each([
    ['rebound', 4002],
    ['not_in_room', 4003],
  ] as const)('%s: deletes the marker, does not reconnect', async (end, code) => {
    const rig = await createJoinedRig();
    tell(rig, end, code);
    await until(() => rig.linkCount() === 0 && rig.bridge.status().room === undefined);
    rig.clock.advance(10 * minuteMs);
    expect(rig.hub.links.upgrades).toHaveLength(1);
    expect((await rig.bridge.call('inbox', {})).text).toMatch('Error not_in_room');
    await until(() => !rig.hasMarker());
  });
});

test('revoked: signed out; comes back with the next sign-in', async () => {
  const rig = await createJoinedRig();
  rig.hub.links.end(rig.member(), 'revoked');
  await until(() => phaseOf(rig) === 'this device is not signed in.');
  rig.clock.advance(10 * minuteMs);
  expect(rig.hub.links.upgrades).toHaveLength(1);
  const account = rig.member().account;
  rig.hub.state.logins.accounts.clear();
  expect((await rig.bridge.call('status', {})).text).toMatch('Error not_logged_in');
  const token = await rig.signIn();
  rig.hub.state.logins.accounts.set(token, account);
  await rig.bridge.call('status', {});
  await until(() => rig.linkCount() === 1);
  expect(rig.hasMarker()).toBe(true);
});

describe('a refused upgrade', () => {
  async function refused(status: number): Promise<Rig> {
    const rig = await createJoinedRig();
    rig.hub.links.refusal = status;
    rig.hub.links.cut();
    await until(() => rig.clock.delaysMs.includes(secondMs));
    rig.clock.advance(secondMs);
    await until(() => rig.hub.links.upgrades.length === 2);
    return rig;
  }

  test('401: signed out, no more attempts', async () => {
    const rig = await refused(401);
    await until(() => phaseOf(rig) === 'this device is not signed in.');
    rig.clock.advance(10 * minuteMs);
    expect(rig.hub.links.upgrades).toHaveLength(2);
    expect(rig.hasMarker()).toBe(true);
  });

  test('409: not in the room, deletes the marker', async () => {
    const rig = await refused(409);
    await until(() => rig.bridge.status().room === undefined);
    await until(() => !rig.hasMarker());
  });

  test.each([
    [400, 'refuses the connection (HTTP 400)'],
    [403, 'refuses the connection (HTTP 403)'],
    [426, 'newer Tandry plugin'],
  ])('%d: said in status, tried again after 5 minutes only', async (status, sentence) => {
    const rig = await refused(status);
    await until(() => phaseOf(rig)?.includes(sentence) === true);
    rig.clock.advance(5 * minuteMs - 1);
    expect(rig.hub.links.upgrades).toHaveLength(2);
    rig.hub.links.refusal = undefined;
    rig.clock.advance(1);
    await until(() => phaseOf(rig) === undefined);
  });
});

describe('where the runtime does not tell how an upgrade was refused', () => {
  /** Like `ws` of Bun. */
  const openSocket: OpenSocket = (target, events) =>
    nodeSocket(new Agents())(target, {
      ...events,
      closed: ({ code }) =>
        events.closed(code === undefined ? { refusedStatus: 'unknown' } : { code }),
    });

  async function broken(meanwhile: (rig: Rig) => void): Promise<Rig> {
    const rig = await createJoinedRig({ openSocket });
    meanwhile(rig);
    rig.hub.links.cut();
    await until(() => rig.clock.delaysMs.includes(secondMs));
    rig.clock.advance(secondMs);
    await until(() => rig.hub.inputsOf('read').length === 1);
    return rig;
  }

  test('an operation tells: not in the room', async () => {
    const rig = await broken(({ room }) => room.members.splice(1));
    await until(() => !rig.hasMarker());
  });

  test('an operation tells: signed out', async () => {
    const rig = await broken(({ hub }) => hub.state.logins.accounts.clear());
    await until(() => phaseOf(rig) === 'this device is not signed in.');
  });

  test('an operation that works means: try again', async () => {
    const rig = await broken(({ hub }) => {
      hub.links.refusal = 503;
    });
    await until(() => rig.clock.delaysMs.includes(2 * secondMs));
    expect(rig.hub.inputsOf('read')).toEqual([{ upTo: 0 }]);
  });
});

test('what is no frame of the Hub is passed over', async () => {
  const { hub, hear, shell } = await createJoinedRig();
  for (const text of ['', 'pong', '{', '{"t":"notify"}', '{"t":"later","x":1}', '[]']) {
    hub.links.send(text);
  }
  await hear('one');
  await until(() => shell.wakes.length === 1);
});

test('two processes of one conversation do not fight', async () => {
  const rig = await createJoinedRig();
  const later = rig.createAnother();
  await later.start();
  await until(() => rig.hub.links.opened === 2 && rig.linkCount() === 1);
  await rig.pass(30);
  expect(rig.hub.links.upgrades).toHaveLength(2);
  expect(later.status().unreachable).toBeUndefined();
  expect(phaseOf(rig)).toMatch('open in another process');
  rig.hub.say(rig.room, rig.alice, { body: 'one' });
  await until(() => later.status().unread === 1);
  await until(() => rig.shell.wakes.length === 1);
  expect(rig.bridge.takeNotice('end')).toBeUndefined();
  expect(await rig.readInbox(), 'operations of the earlier one still work').toMatch('one');
});
