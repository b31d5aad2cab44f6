// Website tokens as Cognito signs them, by the stand-in: who is let in, and until when.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Cognito, startCognito } from '../../local/cognito/start.ts';
import { signIn } from '../../local/sign-in.ts';
import type { Hub } from '../operations/hub.ts';
import { callWith } from '../testing/test-devices.ts';
import { startTestHub, type TestHub } from '../testing/test-hub.ts';
import { authenticator } from './authenticate.ts';
import { connectorTokens } from './connector-token.ts';
import { websiteTokens } from './website-token.ts';

let test: TestHub;
let hub: Hub;
let cognito: Cognito;
let folder: string;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'website-'));
  test = await startTestHub();
  cognito = await startCognito({
    port: 0,
    folder,
    region: 'eu-west-1',
    poolId: 'eu-west-1_local',
    clients: ['website', 'another'].map((clientId) => ({ clientId, callbackUrls: [] })),
  });
  const { table } = test.hub;
  const pool = { issuer: cognito.issuer, jwksUri: cognito.jwksUri, clientId: 'website' };
  const authenticate = authenticator(table, websiteTokens(table, pool));
  hub = { ...test.hub, authenticate };
});
afterAll(async () => {
  await cognito.close();
  await test.close();
  rmSync(folder, { recursive: true, force: true });
});

const signedIn = (clientId = 'website') =>
  signIn({ baseUrl: cognito.baseUrl, clientId, email: 'ana@example.com' });

const refused = { code: 'not_logged_in' };

describe('a website token', () => {
  it('is its account, and may claim a handle', async () => {
    const { accessToken: bearer } = await signedIn();
    const { account } = await callWith(hub, 'claim_handle', { handle: 'ana' }, { bearer });
    expect((await callWith(hub, 'status', {}, { bearer })).account).toEqual(account);
  });

  it('is an access token of the website’s own client, as it was signed', async () => {
    const { accessToken, idToken } = await signedIn();
    const { accessToken: another } = await signedIn('another');
    const [header = '', payload = '', signature = ''] = accessToken.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString());
    const changed = Buffer.from(JSON.stringify({ ...claims, sub: 'victim' })).toString('base64url');
    for (const bearer of [idToken, another, `${header}.${changed}.${signature}`, 'a.b.c']) {
      await expect(callWith(hub, 'status', {}, { bearer })).rejects.toMatchObject(refused);
    }
  });

  it('is dead at once when its person signs out, and so is what the session makes later', async () => {
    const { accessToken: bearer, refreshToken } = await signedIn();
    const { accessToken: elsewhere } = await signedIn();
    await callWith(hub, 'logout', {}, { bearer });
    await expect(callWith(hub, 'status', {}, { bearer })).rejects.toMatchObject(refused);
    const response = await fetch(`${cognito.baseUrl}/oauth2/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'refresh_token',
        client_id: 'website',
        refresh_token: refreshToken,
      }),
    });
    const answer: unknown = await response.json();
    const renewed = String(Reflect.get(Object(answer), 'access_token'));
    expect(renewed.split('.')).toHaveLength(3);
    await expect(callWith(hub, 'status', {}, { bearer: renewed })).rejects.toMatchObject(refused);
    // Another browser of the same person stays signed in.
    await expect(callWith(hub, 'status', {}, { bearer: elsewhere })).resolves.toBeDefined();
  });

  it('is nobody’s at /mcp', async () => {
    const { accessToken } = await signedIn();
    const connectors = connectorTokens(hub.table, 'https://hub.example.com/mcp');
    expect(await connectors(accessToken)).toBeUndefined();
  });
});
