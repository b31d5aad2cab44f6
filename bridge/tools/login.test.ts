import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createJoinedRig, createRig, type Rig, until } from '../testing/rig.ts';

const start = async ({ bridge }: Rig) => (await bridge.call('login', { action: 'start' })).text;
const credentials = async ({ home }: Rig): Promise<unknown> =>
  JSON.parse(await readFile(join(home, 'credentials.json'), 'utf8'));

async function passIntervals({ clock, hub }: Rig, count: number): Promise<void> {
  for (let interval = 0; interval < count; interval += 1) {
    const asked = hub.inputsOf('login_status').length;
    await until(() => clock.delaysMs.includes(5_000));
    clock.advance(5_000);
    await until(() => hub.inputsOf('login_status').length === asked + 1);
  }
}

test('shows URL and code at once', async () => {
  const rig = await createRig();
  const text = await start(rig);
  expect(text).toMatch('URL: https://hub.example/device\nCode: WDJB-MJHT');
  expect(text).toMatch('valid for 10 minutes');
  expect(rig.hub.inputsOf('login_start')).toEqual([
    { label: expect.stringMatching(/^Codex on ./) },
  ]);
});

test('asks in the background every 5 s, and saves the credentials', async () => {
  const rig = await createRig();
  await start(rig);
  rig.clock.advance(4_999);
  expect(rig.hub.inputsOf('login_status')).toEqual([]);
  rig.clock.advance(1);
  await until(() => rig.hub.inputsOf('login_status').length === 1);
  await passIntervals(rig, 2);
  const token = rig.hub.state.logins.approve('henry');
  await passIntervals(rig, 1);
  await until(async () => (await credentials(rig).catch(() => undefined)) !== undefined);
  expect(await credentials(rig)).toEqual({
    hub: rig.hub.url,
    token,
    account: { id: expect.any(String), handle: 'henry' },
  });
  expect(await start(rig)).toBe('Signed in as henry.');
  expect((await rig.bridge.call('status', {})).isError).toBe(false);
  expect(rig.clock.delaysMs, 'it asks no more').toEqual([]);
});

test('called again, it asks at once and shows the same code', async () => {
  const rig = await createRig();
  await start(rig);
  rig.clock.advance(4 * 60_000);
  const again = await start(rig);
  expect(again).toMatch('Code: WDJB-MJHT');
  expect(again).toMatch('valid for 6 minutes');
  rig.hub.state.logins.approve('henry');
  expect(await start(rig)).toBe('Signed in as henry.');
  expect(rig.hub.inputsOf('login_start')).toHaveLength(1);
});

test('two questions at once are one, because the token is given once', async () => {
  const rig = await createRig();
  await start(rig);
  rig.hub.state.logins.approve('henry');
  expect(await Promise.all([start(rig), start(rig)])).toEqual([
    'Signed in as henry.',
    'Signed in as henry.',
  ]);
  expect(rig.hub.inputsOf('login_status')).toHaveLength(1);
});

test('signed in already, it says so', async () => {
  const rig = await createRig();
  await rig.signIn();
  expect(await start(rig)).toBe('Signed in as henry.');
});

test('with a token that is dead, it starts anew', async () => {
  const rig = await createRig();
  await rig.signIn();
  rig.hub.state.logins.accounts.clear();
  expect(await start(rig)).toMatch('Code: ');
});

test('denied and expired are told, then a new one starts', async () => {
  const rig = await createRig();
  await start(rig);
  rig.hub.state.logins.deny();
  expect(await start(rig)).toMatch('declined');
  expect(await start(rig)).toMatch('Code: ');
  await passIntervals(rig, 120);
  await until(() => rig.clock.delaysMs.length === 0);
  expect(await start(rig)).toMatch('expired');
});

test('goes on when the Hub is away or asks for patience', async () => {
  const rig = await createRig();
  await start(rig);
  const error = (code: string) =>
    JSON.stringify({ ok: false, error: { code, message: 'what happened' } });
  rig.hub.fail(
    'login_status',
    { kind: 'answer', status: 429, body: error('rate_limited') },
    { kind: 'answer', status: 404, body: '' },
  );
  await passIntervals(rig, 2);
  rig.hub.state.logins.approve('henry');
  await passIntervals(rig, 1);
  await until(() => rig.clock.delaysMs.length === 0);
  expect(await start(rig)).toBe('Signed in as henry.');
});

test('a conversation that had joined comes online with the sign-in', async () => {
  const rig = await createJoinedRig();
  const { account } = rig.member();
  await rig.bridge.call('login', { action: 'logout' });
  await until(() => rig.linkCount() === 0);
  await start(rig);
  const token = rig.hub.state.logins.approve('henry');
  rig.hub.state.logins.accounts.set(token, account);
  await start(rig);
  await until(() => rig.linkCount() === 1);
});

test('however many calls follow a sign-in elsewhere, one link is opened', async () => {
  const rig = await createJoinedRig();
  const { account } = rig.member();
  await rig.bridge.call('login', { action: 'logout' });
  const elsewhere = rig.createAnother({ conversation: 'another-conversation' });
  await elsewhere.call('login', { action: 'start' });
  const token = rig.hub.state.logins.approve('henry');
  rig.hub.state.logins.accounts.set(token, account);
  await elsewhere.call('login', { action: 'start' });
  await Promise.all(Array.from({ length: 5 }, () => rig.bridge.call('status', {})));
  await until(() => rig.bridge.status().unreachable === undefined);
  await rig.bridge.call('status', {});
  expect(rig.hub.links.upgrades).toHaveLength(2);
  expect(rig.bridge.status().unreachable).toBeUndefined();
});

describe('logout', () => {
  const logout = async ({ bridge }: Rig) => (await bridge.call('login', { action: 'logout' })).text;

  test('ends the token, the link and the credentials, and keeps the marker', async () => {
    const rig = await createJoinedRig();
    expect(await logout(rig)).toBe('Signed out. This device has no access any more.');
    await expect(credentials(rig)).rejects.toMatchObject({ code: 'ENOENT' });
    await until(() => rig.linkCount() === 0);
    expect(rig.hasMarker()).toBe(true);
    expect(rig.bridge.status().unreachable).toBe('this device is not signed in.');
  });

  test('of a token that is dead removes it', async () => {
    const rig = await createRig();
    await rig.signIn();
    rig.hub.state.logins.accounts.clear();
    expect(await logout(rig)).toMatch('Signed out.');
    await expect(credentials(rig)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('that did not reach the Hub keeps the credentials', async () => {
    const rig = await createRig();
    await rig.signIn();
    rig.hub.fail('logout', { kind: 'answer', status: 200, body: '' });
    expect(await logout(rig)).toMatch('Error unavailable');
    expect(await credentials(rig)).toMatchObject({ hub: rig.hub.url });
  });

  test('waits for an answer that is on its way, and ends what it brought', async () => {
    const rig = await createRig();
    await start(rig);
    const { promise, resolve } = Promise.withResolvers<void>();
    rig.hub.fail('login_status', { kind: 'hold_answer', until: promise });
    const token = rig.hub.state.logins.approve('henry');
    const approved = start(rig);
    await until(() => rig.hub.inputsOf('login_status').length === 1);
    const ended = logout(rig);
    await rig.quiet();
    resolve();
    expect(await ended).toMatch('Signed out.');
    await approved;
    expect(rig.hub.state.logins.accounts.has(token)).toBe(false);
    await expect(credentials(rig)).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('ends a sign-in that is on its way', async () => {
    const rig = await createRig();
    await start(rig);
    await logout(rig);
    await until(() => rig.clock.delaysMs.length === 0);
    rig.hub.state.logins.approve('henry');
    rig.clock.advance(60_000);
    expect(rig.hub.inputsOf('login_status')).toEqual([]);
  });
});
