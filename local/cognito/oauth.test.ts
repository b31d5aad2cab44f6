// The endpoints behave like Cognito's: what they accept, what they refuse and what they say.
import { expect, test } from 'vitest';
import { signIn } from '../sign-in.ts';
import { createBrowser, readAlert, readForm } from './browser.ts';
import type { Cognito } from './start.ts';
import { authorizeUrl, payloadOf, postToken, startTestCognito, verifier } from './testing.ts';

const email = 'alice@example.test';
const redirectUri = 'http://localhost:5173/signed-in';

/** Signs in at an authorization request: gives where the browser is sent in the end. */
async function callbackOf(cognito: Cognito, changes: Record<string, string | undefined> = {}) {
  const browser = createBrowser(cognito.baseUrl);
  const login = await browser.open(authorizeUrl(cognito, changes));
  if (login instanceof URL) return login;
  const page = await login.text();
  const form = readForm(page);
  if (form === null) return readAlert(page);
  return browser.open(new URL(form.action, login.url), { ...form.fields, email });
}

async function codeOf(cognito: Cognito, changes: Record<string, string | undefined> = {}) {
  const callback = await callbackOf(cognito, changes);
  if (!(callback instanceof URL)) throw new Error(`no callback: ${callback}`);
  return callback.searchParams.get('code') ?? '';
}

function exchange(cognito: Cognito, code: string, changes: Record<string, string> = {}) {
  return postToken(cognito, {
    grant_type: 'authorization_code',
    client_id: 'website',
    redirect_uri: redirectUri,
    code_verifier: verifier,
    code,
    ...changes,
  });
}

const invalidGrant = { status: 400, answer: expect.objectContaining({ error: 'invalid_grant' }) };

test('a code comes back with the state and nothing else', async () => {
  const callback = await callbackOf(await startTestCognito());
  expect(callback).toBeInstanceOf(URL);
  const { origin, pathname, searchParams } = new URL(String(callback));
  expect(origin + pathname).toBe(redirectUri);
  expect([...searchParams.keys()].sort()).toEqual(['code', 'state']);
  expect(searchParams.get('state')).toBe('some-state');
});

test('a code is exchanged once, with its verifier, for its redirect URI and client', async () => {
  const cognito = await startTestCognito({
    clients: [
      { clientId: 'website', callbackUrls: [] },
      { clientId: 'other', callbackUrls: [] },
    ],
  });
  const code = await codeOf(cognito);
  expect(await exchange(cognito, code, { code_verifier: 'w'.repeat(43) })).toEqual(invalidGrant);
  expect(await exchange(cognito, code, { redirect_uri: `${redirectUri}/` })).toEqual(invalidGrant);
  expect(await exchange(cognito, code, { client_id: 'other' })).toEqual(invalidGrant);
  const tokens = await exchange(cognito, code);
  expect(tokens).toEqual({
    status: 200,
    answer: {
      access_token: expect.any(String),
      id_token: expect.any(String),
      refresh_token: expect.any(String),
      expires_in: 3600,
      token_type: 'Bearer',
    },
  });
  expect(await exchange(cognito, code)).toEqual(invalidGrant);
});

test('a public client has to use PKCE with S256', async () => {
  const cognito = await startTestCognito();
  const without = { code_challenge: undefined, code_challenge_method: undefined };
  for (const changes of [without, { code_challenge_method: 'plain' }]) {
    const callback = await callbackOf(cognito, changes);
    expect(new URL(String(callback)).searchParams.get('error')).toBe('invalid_request');
  }
});

test.each([
  'https://hub.example.com/signed-in',
  'http://127.0.0.1:41234/anything',
  'http://[::1]:41234/',
])('a code is sent to %s', async (url) => {
  expect(String(await callbackOf(await startTestCognito(), { redirect_uri: url }))).toMatch(
    `${url}?code=`,
  );
});

test.each([
  'https://hub.example.com/signed-in/',
  'https://hub.example.com/',
  'http://hub.example.com/signed-in',
  'https://evil.example.com/signed-in',
  'http://localhost.example.com/signed-in',
  'http://localhost@example.com/signed-in',
  'http://user@localhost:5173/',
  'https://localhost:5173/',
  'http://localhost:5173/#fragment',
])('no code is sent to %s', async (url) => {
  const answer = await callbackOf(await startTestCognito(), { redirect_uri: url });
  expect(answer).toMatch(/invalid_redirect_uri|invalid_request/);
});

test('an unknown client is told on a page, and sent nowhere', async () => {
  const answer = await callbackOf(await startTestCognito(), { client_id: 'nobody' });
  expect(answer).toMatch(/invalid_client/);
});

test.each(['openid offline_access', 'openid hub/write'])(
  'the scope %s is refused',
  async (scope) => {
    expect(await callbackOf(await startTestCognito(), { scope })).toMatch(/invalid_scope/);
  },
);

test('a confidential client needs its secret, in a header or in the form', async () => {
  const cognito = await startTestCognito({
    clients: [{ clientId: 'hub', callbackUrls: [], secret: 's3cret' }],
  });
  const form = {
    grant_type: 'authorization_code',
    redirect_uri: redirectUri,
    code_verifier: verifier,
  };
  const code = () => codeOf(cognito, { client_id: 'hub' });
  const basic = (secret: string) => ({
    authorization: `Basic ${Buffer.from(`hub:${secret}`).toString('base64')}`,
  });
  const withForm = { ...form, client_id: 'hub', client_secret: 's3cret', code: await code() };
  expect(await postToken(cognito, withForm)).toMatchObject({ status: 200 });
  const withHeader = { ...form, code: await code() };
  expect(await postToken(cognito, withHeader, basic('wrong'))).toMatchObject({ status: 401 });
  expect(await postToken(cognito, withHeader, basic('s3cret'))).toMatchObject({ status: 200 });
  const bare = { ...form, client_id: 'hub', code: await code() };
  expect(await postToken(cognito, bare)).toMatchObject({ status: 401 });
});

test('a refresh gives new tokens of the same sign-in, for 30 days, and no refresh token', async () => {
  let nowMs = Date.now();
  const cognito = await startTestCognito({ nowMs: () => nowMs });
  const first = await signIn({ ...cognito, clientId: 'website', email });
  const refresh = () =>
    postToken(cognito, {
      grant_type: 'refresh_token',
      client_id: 'website',
      refresh_token: first.refreshToken,
    });
  const day = 24 * 3_600_000;
  nowMs += 29 * day;
  const { status, answer } = await refresh();
  expect(status).toBe(200);
  expect(answer).toEqual({
    access_token: expect.any(String),
    id_token: expect.any(String),
    expires_in: 3600,
    token_type: 'Bearer',
  });
  const { access_token: token } = Object(answer);
  const { sub, origin_jti, auth_time } = payloadOf(first.accessToken);
  const iat = Math.floor(nowMs / 1000);
  expect(payloadOf(token)).toMatchObject({ sub, origin_jti, auth_time, iat });
  nowMs += day;
  expect(await refresh()).toEqual(invalidGrant);
});

test('a revoked refresh token is dead, and so is what came from it; other sign-ins live', async () => {
  const cognito = await startTestCognito();
  const revoked = await signIn({ ...cognito, clientId: 'website', email });
  const kept = await signIn({ ...cognito, clientId: 'website', email });
  const { status } = await fetch(`${cognito.baseUrl}/oauth2/revoke`, {
    method: 'POST',
    body: new URLSearchParams({ client_id: 'website', token: revoked.refreshToken }),
  });
  expect(status).toBe(200);
  const refresh = (refreshToken: string) =>
    postToken(cognito, {
      grant_type: 'refresh_token',
      client_id: 'website',
      refresh_token: refreshToken,
    });
  expect(await refresh(revoked.refreshToken)).toEqual(invalidGrant);
  expect(await refresh(kept.refreshToken)).toMatchObject({ status: 200 });
  const { status: userInfoStatus } = await fetch(`${cognito.baseUrl}/oauth2/userInfo`, {
    headers: { authorization: `Bearer ${revoked.accessToken}` },
  });
  expect(userInfoStatus).toBe(401);
});

test('the pool describes itself as Cognito does, under its issuer only', async () => {
  const { baseUrl, issuer, jwksUri } = await startTestCognito();
  const document = '/.well-known/openid-configuration';
  const metadata: unknown = await (await fetch(issuer + document)).json();
  expect(metadata).toMatchObject({
    issuer,
    jwks_uri: jwksUri,
    authorization_endpoint: `${baseUrl}/oauth2/authorize`,
    token_endpoint: `${baseUrl}/oauth2/token`,
  });
  expect(metadata).not.toHaveProperty('code_challenge_methods_supported');
  expect((await fetch(baseUrl + document)).status).toBe(404);
  expect((await fetch(`${baseUrl}/.well-known/oauth-authorization-server`)).status).toBe(404);
});

test('the keys are published, their private parts are not', async () => {
  const { jwksUri } = await startTestCognito();
  const { keys } = Object(await (await fetch(jwksUri)).json());
  expect(keys).toHaveLength(1);
  expect(Object.keys(keys[0]).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
});

test('a page of another origin may call the token endpoint', async () => {
  const cognito = await startTestCognito();
  const url = `${cognito.baseUrl}/oauth2/token`;
  const origin = 'https://hub.example.net';
  const preflight = await fetch(url, {
    method: 'OPTIONS',
    headers: { origin, 'access-control-request-method': 'POST' },
  });
  const answer = await fetch(url, {
    method: 'POST',
    headers: { origin },
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: 'website',
      redirect_uri: redirectUri,
      code_verifier: verifier,
      code: await codeOf(cognito),
    }),
  });
  expect([preflight.status, answer.status]).toEqual([204, 200]);
  for (const { headers } of [preflight, answer]) {
    expect(headers.get('access-control-allow-origin')).toBe(origin);
  }
});
