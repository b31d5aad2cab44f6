// Reading at least once (protocol, section 2, "inbox").
import { describe, expect, test } from 'vitest';
import { createJoinedRig, until } from '../testing/rig.ts';
import { deliveryTimeoutMs } from './inbox.ts';

test('the position moves only when the batch stands in a tool result', async () => {
  const { bridge, hear, hub, member } = await createJoinedRig();
  await hear('one');
  const { text, delivered } = await bridge.call('inbox', {});
  expect(text).toMatch('one');
  expect(member().readSeq).toBe(0);
  await delivered();
  expect(member().readSeq).toBe(1);
  await delivered();
  expect(hub.inputsOf('read')).toEqual([{ upTo: 1 }]);
});

test('killed between inbox and read: the same batch comes back', async () => {
  const rig = await createJoinedRig();
  await rig.hear('one');
  const shown = await rig.bridge.call('inbox', {});
  await rig.bridge.dispose();
  const resumed = rig.createAnother();
  await resumed.start();
  await until(() => rig.linkCount() === 1);
  const again = await rig.readInbox(resumed);
  const idOf = (text: string) => /message="(m_\w+)"/.exec(text)?.[1];
  expect(idOf(again)).toBe(idOf(shown.text));
  expect(await rig.readInbox(resumed)).toBe('The inbox is empty.');
});

describe('the next inbox', () => {
  test('waits for the previous read', async () => {
    const { bridge, hear, hub } = await createJoinedRig();
    await hear('one');
    const first = await bridge.call('inbox', {});
    const { promise, resolve } = Promise.withResolvers<void>();
    hub.fail('read', { kind: 'hold', until: promise });
    void first.delivered();
    await until(() => hub.inputsOf('read').length === 1);
    const second = bridge.call('inbox', {});
    await bridge.call('members', {});
    expect(hub.inputsOf('inbox')).toHaveLength(1);
    resolve();
    expect((await second).text).toBe('The inbox is empty.');
  });

  test('of two calls at once shows what the first one does not', async () => {
    const { bridge, hub, room, alice } = await createJoinedRig();
    for (let serial = 1; serial <= 25; serial += 1) hub.say(room, alice, { body: `no ${serial}.` });
    const reads = [1, 2].map(async () => {
      const { text, delivered } = await bridge.call('inbox', {});
      await delivered();
      return text;
    });
    const [first = '', second = ''] = await Promise.all(reads);
    expect(first).toMatch(/^20 messages/);
    expect(second).toMatch(/^5 messages/);
    expect(second).not.toMatch('no 20.');
  });

  test('does not wait for ever for a result that never reached the host', async () => {
    const { bridge, hear, clock, hub, shell } = await createJoinedRig();
    shell.isIdle = false;
    await hear('one');
    await bridge.call('inbox', {});
    const second = bridge.call('inbox', {});
    await bridge.call('members', {});
    expect(hub.inputsOf('inbox')).toHaveLength(1);
    clock.advance(deliveryTimeoutMs);
    expect((await second).text).toMatch('one');
  });

  test('does not wait for ever, though an earlier result reaches the host late', async () => {
    const { bridge, hear, clock, hub, shell } = await createJoinedRig();
    shell.isIdle = false;
    await hear('one');
    const first = await bridge.call('inbox', {});
    clock.advance(deliveryTimeoutMs);
    await bridge.call('inbox', {});
    await first.delivered();
    const third = bridge.call('inbox', {});
    await bridge.call('members', {});
    expect(hub.inputsOf('inbox')).toHaveLength(2);
    clock.advance(deliveryTimeoutMs);
    expect((await third).text).toBe('The inbox is empty.');
  });

  test('confirms first what could not be confirmed', async () => {
    const { bridge, hear, hub, passRetries } = await createJoinedRig();
    await hear('one');
    const { delivered } = await bridge.call('inbox', {});
    const body = JSON.stringify({ ok: false, error: { code: 'unavailable', message: '' } });
    for (let attempt = 0; attempt < 4; attempt += 1) {
      hub.fail('read', { kind: 'answer', status: 503, body });
    }
    const confirming = delivered();
    await passRetries();
    await confirming;
    await hear('two');
    const { text } = await bridge.call('inbox', {});
    expect(text).toMatch('two');
    expect(text).not.toMatch('one');
  });

  test('works after one that failed', async () => {
    const { bridge, hear, hub, readInbox } = await createJoinedRig();
    await hear('one');
    hub.fail('inbox', { kind: 'answer', status: 200, body: 'not an envelope' });
    expect((await bridge.call('inbox', {})).text).toMatch('Error unavailable');
    expect(await readInbox()).toMatch('one');
  });
});

test('a result that never reached the host leaves its notice to be given', async () => {
  const { bridge, hear, turn, shell } = await createJoinedRig();
  turn(true);
  await hear('one');
  await bridge.call('inbox', {});
  turn(false);
  await until(() => shell.wakes.length === 1);
});
