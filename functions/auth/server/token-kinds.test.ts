// Tokens of one kind are never taken for another, wherever they are shown.
import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatToken, tokenBytes } from '../../domain/token-format.ts';
import { putAuthRecord } from '../../store/auth-records.ts';
import { putGrantToken } from '../../store/grants.ts';
import {
  type Client,
  claudeRedirect,
  connect,
  post,
  register,
} from '../../testing/oauth-client.ts';
import { startTestAuth, type TestAuth } from '../../testing/test-auth.ts';
import { callWith, signInDevice } from '../../testing/test-devices.ts';
import { deviceTokens } from '../device-token.ts';

let auth: TestAuth;
let client: Client;
beforeAll(async () => {
  auth = await startTestAuth();
  client = await register(auth, claudeRedirect);
});
afterAll(async () => {
  expect(auth.faults).toEqual([]);
  await auth.close();
});

describe('tokens of one kind', () => {
  it('are not taken for another, at the operations, the links, or /mcp', async () => {
    const { access_token, refresh_token } = await connect(auth, client, 'kim@example.com');
    const { token: deviceToken } = await signInDevice(auth.hub, 'account-of-a-device');
    for (const bearer of [access_token, refresh_token]) {
      await expect(callWith(auth.hub, 'status', {}, { bearer })).rejects.toMatchObject({
        code: 'not_logged_in',
      });
    }
    for (const token of [deviceToken, refresh_token, 'a.b.c', '']) {
      expect(await auth.connector(token)).toBeUndefined();
    }
    // Spelled like the other kind, checksum and all, they are nobody's.
    expect(await auth.connector(deviceToken.replace('_d_', '_c_'))).toBeUndefined();
  });

  it('are told by their row, not by how they are spelled', async () => {
    const { table } = auth.hub;
    const deadline = { atMs: table.nowMs() + 5_000 };
    const grant = 'some grant';
    const sealed = new Uint8Array([1]);
    await putAuthRecord(table, { model: 'Grant', id: grant }, { sealed, expiresAt: undefined });
    const spelledAsDevice = formatToken('device', randomBytes(tokenBytes));
    const row = {
      audience: 'v1',
      account: 'victim',
      expiresAt: Math.ceil(table.nowMs() / 1000) + 3_600,
      sealed,
    };
    await putGrantToken(table, deadline, { grant, token: spelledAsDevice }, row);
    expect(await deviceTokens(table)(spelledAsDevice)).toBeUndefined();
  });

  it('are not even looked up when they cannot be any', async () => {
    const { db } = auth.test;
    const { calls } = await db.ledger.measure(async () => {
      for (const token of ['tandry_c_x', `tandry_c_${'x'.repeat(49)}`, 'x', '']) {
        expect(await auth.connector(token)).toBeUndefined();
        expect(await deviceTokens(auth.hub.table)(token)).toBeUndefined();
      }
    });
    expect(calls).toEqual([]);
  });

  it('do not open the token endpoint either', async () => {
    const { access_token } = await connect(auth, client, 'kim@example.com');
    const { token: deviceToken } = await signInDevice(auth.hub, 'account-of-another');
    for (const token of [access_token, deviceToken]) {
      const { body } = await post(auth, '/oauth/token', {
        grant_type: 'refresh_token',
        client_id: client.clientId,
        refresh_token: token,
      });
      expect(body).toMatchObject({ error: 'invalid_grant' });
    }
  });
});
