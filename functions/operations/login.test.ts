// Signing a machine in and out, on the real local table.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { limits } from '../../protocol/limits.ts';
import { callWith, decide, hubUrl, signInDevice, withRealTokens } from '../testing/test-devices.ts';
import { startTestHub, type TestHub } from '../testing/test-hub.ts';
import type { Hub } from './hub.ts';

const dayMs = 24 * 60 * 60_000;

let test: TestHub;
let hub: Hub;
let addresses = 0;

beforeAll(async () => {
  test = await startTestHub();
  hub = withRealTokens(test);
});
afterAll(() => test.close());

/** Starts a login from an address of its own, so that tests do not spend each other's limits. */
function start(label?: string) {
  addresses += 1;
  return callWith(hub, 'login_start', { label }, { address: `198.51.100.${addresses}` });
}

const statusOf = (deviceCode: string, label?: string) =>
  callWith(hub, 'login_status', { deviceCode, label });

describe('login_start', () => {
  it('gives a code to type, where to type it, and a secret that only the machine knows', async () => {
    const { userCode, url, deviceCode, ...timing } = await start('laptop');
    expect(userCode).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}$/);
    expect(url).toBe(`${hubUrl}/device?user_code=${userCode}`);
    expect(deviceCode).toMatch(/^[\w-]{43}$/);
    expect(timing).toEqual({ intervalSeconds: 5, expiresInSeconds: 600 });
  });

  it('takes ten an hour from one address, whatever comes from others', async () => {
    const from = (address: string) => callWith(hub, 'login_start', {}, { address });
    await Promise.all(Array.from({ length: 10 }, () => from('192.0.2.7')));
    await expect(from('192.0.2.7')).rejects.toMatchObject({
      code: 'rate_limited',
      data: { retryAfterSeconds: expect.any(Number) },
    });
    await expect(from('192.0.2.8')).resolves.toBeDefined();
    test.shiftMs(60 * 60_000);
    await expect(from('192.0.2.7')).resolves.toBeDefined();
    test.shiftMs(-60 * 60_000);
  });

  it('takes more from this machine itself where that is configured', async () => {
    const signIn = { ...hub.policy.signIn, deviceCodesPerHour: 1, loopbackFactor: 3 };
    const relaxed = { ...hub, policy: { ...hub.policy, signIn } };
    const from = (address: string) => callWith(relaxed, 'login_start', {}, { address });
    for (const address of ['127.0.0.2', '127.0.0.2', '127.0.0.2', '192.0.2.9']) await from(address);
    await expect(from('127.0.0.2')).rejects.toMatchObject({ code: 'rate_limited' });
    await expect(from('192.0.2.9')).rejects.toMatchObject({ code: 'rate_limited' });
  });

  it('is a fault where the function does not know its own address', async () => {
    const { url: _, ...elsewhere } = hub;
    await expect(callWith(elsewhere, 'login_start', {})).rejects.toMatchObject({
      code: 'unavailable',
    });
  });
});

describe('login_status', () => {
  it('is pending, and approved once a person has approved', async () => {
    const { deviceCode, userCode } = await start();
    expect(await statusOf(deviceCode)).toEqual({ state: 'pending' });
    await decide(hub, userCode, 'account-1');
    const status = await statusOf(deviceCode, 'build machine');
    expect(status).toEqual({
      state: 'approved',
      token: expect.stringMatching(/^tandry_d_/),
      account: { id: 'account-1', handle: null },
    });
  });

  it('gives the same token again, and one device, when the answer was lost', async () => {
    const { deviceCode, userCode } = await start();
    await decide(hub, userCode, 'account-2');
    const answers = await Promise.all([1, 2, 3].map(() => statusOf(deviceCode)));
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    const [first] = answers;
    const bearer = first?.state === 'approved' ? first.token : '';
    expect((await callWith(hub, 'devices', {}, { bearer })).devices).toHaveLength(1);
  });

  it('never brings a device back that was revoked while its login still stood', async () => {
    const { token, deviceCode } = await signInDevice(hub, 'account-3');
    await callWith(hub, 'logout', {}, { bearer: token });
    expect(await statusOf(deviceCode)).toEqual({ state: 'expired' });
    await expect(callWith(hub, 'status', {}, { bearer: token })).rejects.toMatchObject({
      code: 'not_logged_in',
    });
  });

  it('is denied when the person declined, whatever they press afterwards', async () => {
    const { deviceCode, userCode } = await start();
    expect(await decide(hub, userCode, undefined)).toBe(true);
    expect(await decide(hub, userCode, 'account-4')).toBe(false);
    expect(await statusOf(deviceCode)).toEqual({ state: 'denied' });
  });

  it('expires after ten minutes, approved or not, and does not know other codes', async () => {
    const { deviceCode, userCode } = await start();
    await decide(hub, userCode, 'account-5');
    test.shiftMs(limits.loginExpirySeconds * 1000 + 1_000);
    expect(await statusOf(deviceCode)).toEqual({ state: 'expired' });
    test.shiftMs(-limits.loginExpirySeconds * 1000 - 1_000);
    expect(await statusOf('some-other-code')).toEqual({ state: 'expired' });
  });
});

describe('a device token', () => {
  it('is its account, at every operation but the website’s own', async () => {
    const { token: bearer } = await signInDevice(hub, 'account-6');
    const status = await callWith(hub, 'status', {}, { bearer });
    expect(status.account).toEqual({ id: 'account-6', handle: null });
    await expect(callWith(hub, 'claim_handle', { handle: 'sixth' }, { bearer })).rejects.toThrow(
      expect.objectContaining({ code: 'forbidden' }),
    );
    const caller = { host: 'website', conversation: 'site' } as const;
    await expect(callWith(hub, 'status', {}, { bearer, caller })).rejects.toMatchObject({
      code: 'forbidden',
    });
  });

  it('lives 90 days from its last use, moved at most once a day', async () => {
    const { token: bearer } = await signInDevice(hub, 'account-7');
    const writes = async () => {
      const { calls } = await test.db.ledger.measure(() => hub.authenticate(bearer));
      return calls.filter(({ operation }) => operation !== 'GetItem');
    };
    expect(await writes()).toEqual([]);
    test.shiftMs(89 * dayMs);
    expect(await writes()).toHaveLength(1);
    expect(await writes()).toEqual([]);
    test.shiftMs(89 * dayMs);
    const { devices } = await callWith(hub, 'devices', {}, { bearer });
    expect(devices[0]?.expiresAt).toBeGreaterThan(hub.table.nowMs() + 89 * dayMs);
    test.shiftMs(90 * dayMs + 1_000);
    await expect(callWith(hub, 'status', {}, { bearer })).rejects.toMatchObject({
      code: 'not_logged_in',
    });
    test.shiftMs(-(89 + 89 + 90) * dayMs - 1_000);
  });

  it('costs one read of one item', async () => {
    const { token: bearer } = await signInDevice(hub, 'account-8');
    const { calls } = await test.db.ledger.measure(() => hub.authenticate(bearer));
    expect(calls).toMatchObject([{ operation: 'GetItem', reads: 1 }]);
  });
});

describe('devices and revoke_device', () => {
  it('list the machines of the account, and end one of them at once', async () => {
    const [laptop, server] = [
      await signInDevice(hub, 'account-9', 'laptop'),
      await signInDevice(hub, 'account-9', 'server'),
    ];
    await signInDevice(hub, 'account-10', 'of somebody else');
    const bearer = laptop.token;
    const { devices } = await callWith(hub, 'devices', {}, { bearer });
    expect(devices.map(({ label, current }) => ({ label, current }))).toEqual([
      { label: 'server', current: false },
      { label: 'laptop', current: true },
    ]);
    const [{ id = '' } = {}] = devices;
    await callWith(hub, 'revoke_device', { id }, { bearer });
    await expect(callWith(hub, 'status', {}, { bearer: server.token })).rejects.toMatchObject({
      code: 'not_logged_in',
    });
    expect((await callWith(hub, 'devices', {}, { bearer })).devices).toHaveLength(1);
    await expect(callWith(hub, 'revoke_device', { id }, { bearer })).resolves.toEqual({});
  });

  it('do not reach the machines of another account', async () => {
    const mine = await signInDevice(hub, 'account-11');
    const theirs = await signInDevice(hub, 'account-12');
    const listed = await callWith(hub, 'devices', {}, { bearer: theirs.token });
    const id = listed.devices[0]?.id ?? '';
    await callWith(hub, 'revoke_device', { id }, { bearer: mine.token });
    await expect(callWith(hub, 'status', {}, { bearer: theirs.token })).resolves.toBeDefined();
  });
});
