import { describe, expect, test } from 'vitest';
import { HubError } from '../../protocol/errors.ts';
import { sampleContext } from '../../protocol/fixtures/samples.ts';
import type { HostKind } from '../../protocol/nouns.ts';
import { systemClock } from '../clock.ts';
import type { Fault } from '../testing/fake-hub.ts';
import { ManualClock } from '../testing/manual-clock.ts';
import { createJoinedRig, createRig, startFakeHub, until } from '../testing/rig.ts';
import { fetchHttp } from './http.ts';
import { createHubClient } from './hub-client.ts';

const lost: Fault = { kind: 'lose_request' };
const answer = (status: number, body = ''): Fault => ({ kind: 'answer', status, body });
const refusal = (code: string) =>
  JSON.stringify({ ok: false, error: { code, message: 'what happened' } });

/** A client that is signed in and calls `status`. */
async function createCaller() {
  const hub = await startFakeHub();
  const clock = new ManualClock();
  const client = createHubClient({ http: fetchHttp, clock });
  const token = hub.signUp('henry');
  return { hub, clock, client, call: () => client.call('status', {}, { hub: hub.url, token }) };
}

describe('repeats', () => {
  test.each<[string, Fault]>([
    ['a request that was lost', lost],
    ['an answer that was lost', { kind: 'lose_answer' }],
    ['status 500 without an envelope', answer(500, '<html>')],
    ['status 503 unavailable', answer(503, refusal('unavailable'))],
    ['status 504', answer(504)],
  ])('%s after 0.3, 1 and 3 s', async (_name, fault) => {
    const { hub, clock, call } = await createCaller();
    hub.fail('status', fault, fault, fault);
    const calling = call();
    for (const [index, delayMs] of [300, 1_000, 3_000].entries()) {
      await until(() => clock.delaysMs.includes(delayMs));
      clock.advance(delayMs - 1);
      expect(hub.requests).toHaveLength(index + 1);
      clock.advance(1);
      await until(() => hub.requests.length === index + 2);
    }
    expect((await calling).account.handle).toBe('henry');
    expect(clock.delaysMs, 'no timer is left').toEqual([]);
  });

  test('four times at most', async () => {
    const { hub, clock, call } = await createCaller();
    hub.fail('status', lost, lost, lost, answer(502));
    const calling = call().catch((error: unknown) => error);
    for (const delayMs of [300, 1_000, 3_000]) {
      await until(() => clock.delaysMs.includes(delayMs));
      clock.advance(delayMs);
    }
    expect(await calling).toMatchObject({ code: 'unavailable' });
    expect(hub.requests).toHaveLength(4);
  });

  test.each<[string, Fault, string]>([
    ['a refusal', answer(409, refusal('name_taken')), 'name_taken'],
    ['rate_limited', answer(429, refusal('rate_limited')), 'rate_limited'],
    ['status 429 without an envelope', answer(429), 'unavailable'],
    ['status 200 without an envelope', answer(200, '<html>'), 'unavailable'],
    ['a redirection', answer(302), 'unavailable'],
  ])('never %s', async (_name, fault, code) => {
    const { hub, call } = await createCaller();
    hub.fail('status', fault);
    await expect(call()).rejects.toMatchObject({ code });
    expect(hub.requests).toHaveLength(1);
  });

  test.each<[HostKind, number]>([
    ['codex', 2],
    ['web', 1],
    ['website', 1],
  ])('the inbox of %s: %d requests', async (host, requests) => {
    const { hub, clock, client } = await createCaller();
    const caller = { host, conversation: 'c' };
    hub.fail('inbox', lost, answer(400, refusal('invalid_input')));
    const call = { ...sampleContext, hub: hub.url, caller };
    const calling = client.call('inbox', {}, call).catch(() => {});
    await until(() => hub.requests.length === 1);
    if (requests > 1) await until(() => clock.delaysMs.includes(300));
    clock.advance(60_000);
    await calling;
    expect(hub.requests).toHaveLength(requests);
  });
});

test('an answer is waited for 15 s', async () => {
  const { hub, clock, client } = await createCaller();
  const { promise, resolve } = Promise.withResolvers<void>();
  hub.fail('login_start', { kind: 'hold', until: promise });
  const calling = client
    .call('login_start', {}, { hub: hub.url }, { isRepeated: false })
    .catch((error: unknown) => error);
  await until(() => hub.requests.length === 1);
  clock.advance(14_999);
  clock.advance(1);
  expect(await calling).toMatchObject({ message: 'the Hub did not answer within 15 seconds' });
  resolve();
});

test('a Hub that is not there is unavailable, by the code of the failure', async () => {
  const { hub, client } = await createCaller();
  const { url } = hub;
  await hub.stop();
  await expect(
    client.call('status', {}, { hub: url }, { isRepeated: false }),
  ).rejects.toMatchObject({
    code: 'unavailable',
    message: expect.stringMatching(/could not be reached \(ECONNREFUSED\)/),
  });
});

test('disposing ends calls in flight, and later ones at once', async () => {
  const { hub, call, client, clock } = await createCaller();
  hub.fail('status', lost);
  const calling = call().catch((error: unknown) => error);
  await until(() => clock.delaysMs.includes(300));
  client.dispose();
  expect(await calling).toBeInstanceOf(HubError);
  await expect(call()).rejects.toMatchObject({ code: 'unavailable' });
  expect(hub.requests).toHaveLength(1);
  expect(clock.delaysMs).toEqual([]);
});

test('disposing does not wait for an answer', async () => {
  const { hub, client } = await createCaller();
  hub.fail('login_start', { kind: 'hold', until: new Promise(() => {}) });
  const calling = client.call('login_start', {}, { hub: hub.url }).catch((error: unknown) => error);
  await until(() => hub.requests.length === 1);
  client.dispose();
  expect(await calling).toMatchObject({ code: 'unavailable' });
});

test('runs on real time, too', async () => {
  const hub = await startFakeHub();
  const client = createHubClient({ http: fetchHttp, clock: systemClock });
  hub.fail('login_start', lost);
  const started = await client.call(
    'login_start',
    { label: 'Codex on a laptop' },
    { hub: hub.url },
  );
  expect(started.intervalSeconds).toBe(5);
  expect(hub.requests).toHaveLength(2);
});

describe('a lost response', () => {
  test('is retried with the same message ID, and said once', async () => {
    const { hub, clock, bridge, room } = await createJoinedRig();
    hub.fail('send', { kind: 'lose_answer' });
    const sending = bridge.call('send', { to: '@room', body: 'once' });
    await until(() => clock.delaysMs.includes(300));
    clock.advance(300);
    const { text } = await sending;
    const [first, second] = hub.inputsOf('send');
    expect(second).toEqual(first);
    expect(room.log.map(({ view }) => view.body)).toEqual(['once']);
    expect(text).toMatch(`Sent ${room.log[0]?.view.id}.`);
  });

  test('keeps its ID when the agent repeats the call, but no other call gets it', async () => {
    const { hub, bridge, room, passRetries } = await createJoinedRig();
    const said = { to: '@room', body: 'once' };
    hub.fail('send', ...Array.from({ length: 4 }, (): Fault => ({ kind: 'lose_answer' })));
    const sending = bridge.call('send', said);
    await passRetries();
    expect((await sending).text).toMatch(/^Error unavailable: /);
    await bridge.call('send', { ...said, body: 'something else' });
    await bridge.call('send', said);
    expect(room.log.map(({ view }) => view.body)).toEqual(['once', 'something else']);
    await bridge.call('send', said);
    expect(room.log.map(({ view }) => view.body)).toEqual(['once', 'something else', 'once']);
  });

  test('said in another room is another message', async () => {
    const { hub, bridge, room, passRetries } = await createJoinedRig();
    const said = { to: '@room', body: 'hello' };
    hub.fail('send', ...Array.from({ length: 4 }, (): Fault => ({ kind: 'lose_answer' })));
    const sending = bridge.call('send', said);
    await passRetries();
    expect((await sending).isError).toBe(true);
    await bridge.call('leave', {});
    const other = hub.addRoom();
    await bridge.call('join', { room: other.shownCode, intro: 'x' });
    const { text, isError } = await bridge.call('send', said);
    expect(isError, text).toBe(false);
    expect([room, other].map(({ log }) => log.length)).toEqual([1, 1]);
    // A Hub knows an ID once, whatever the room: with the same it would refuse the second.
    const [first, ...later] = hub.inputsOf('send');
    expect(later.at(-1)).not.toEqual(first);
  });

  test('new_room: makes one room', async () => {
    const { hub, clock, bridge, signIn } = await createRig();
    await signIn();
    hub.fail('new_room', { kind: 'lose_answer' });
    const making = bridge.call('new_room', { name: 'Reviews', description: '' });
    await until(() => clock.delaysMs.includes(300));
    clock.advance(300);
    expect((await making).isError).toBe(false);
    expect(hub.state.rooms.filter(({ name }) => name === 'Reviews')).toHaveLength(1);
  });
});
