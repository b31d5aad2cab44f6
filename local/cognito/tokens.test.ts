// Tokens have Cognito's shape, and the Hub's way of verifying them tells them apart.
import { JwtVerifier } from 'aws-jwt-verify';
import { validateCognitoJwtFields } from 'aws-jwt-verify/cognito-verifier';
import {
  CognitoJwtInvalidClientIdError,
  CognitoJwtInvalidTokenUseError,
  JwtExpiredError,
  JwtInvalidSignatureError,
  KidNotFoundInJwksError,
} from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { expect, test } from 'vitest';
import { signIn } from '../sign-in.ts';
import type { Cognito } from './start.ts';
import { payloadOf, startTestCognito, website } from './testing.ts';

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const email = 'alice@example.test';

// As the Hub does it: any issuer, keys over http where the issuer is on this machine.
function hubVerifier({ issuer, jwksUri }: Cognito, clientId = 'website') {
  const fetcher = { fetch: async (uri: string) => (await fetch(uri)).arrayBuffer() };
  return JwtVerifier.create(
    {
      issuer,
      audience: null,
      jwksUri,
      customJwtCheck: ({ payload }) =>
        validateCognitoJwtFields(payload, { tokenUse: 'access', clientId }),
    },
    { jwksCache: new SimpleJwksCache({ fetcher }) },
  );
}

function headerOf(token: string): unknown {
  return JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString());
}

function userInfo({ baseUrl }: Cognito, token: string) {
  return fetch(`${baseUrl}/oauth2/userInfo`, { headers: { authorization: `Bearer ${token}` } });
}

test('an access token has the claims of a Cognito access token and no other', async () => {
  const cognito = await startTestCognito();
  const { accessToken } = await signIn({ ...cognito, clientId: 'website', email });
  const claims = payloadOf(accessToken);
  const seconds = expect.any(Number);
  expect(claims).toEqual({
    iss: cognito.issuer,
    sub: expect.stringMatching(uuid),
    username: claims['sub'],
    token_use: 'access',
    client_id: 'website',
    scope: 'openid email profile',
    version: 2,
    jti: expect.stringMatching(uuid),
    origin_jti: expect.stringMatching(uuid),
    event_id: expect.stringMatching(uuid),
    auth_time: seconds,
    iat: seconds,
    exp: Number(claims['iat']) + 3600,
  });
  expect(headerOf(accessToken)).toEqual({ alg: 'RS256', kid: expect.any(String) });
});

test('an ID token has those of a Cognito ID token, of the same sign-in', async () => {
  const cognito = await startTestCognito();
  const { accessToken, idToken } = await signIn({ ...cognito, clientId: 'website', email });
  const access = payloadOf(accessToken);
  const id = payloadOf(idToken);
  expect(id).toEqual({
    iss: cognito.issuer,
    sub: access['sub'],
    aud: 'website',
    'cognito:username': access['sub'],
    email,
    email_verified: true,
    token_use: 'id',
    jti: expect.stringMatching(uuid),
    origin_jti: access['origin_jti'],
    event_id: access['event_id'],
    auth_time: access['auth_time'],
    iat: access['iat'],
    exp: access['exp'],
  });
  expect(headerOf(idToken)).toEqual({ alg: 'RS256', kid: expect.any(String) });
});

test('an address has one sub, however it is written, and others have others', async () => {
  const cognito = await startTestCognito();
  const subOf = async (address: string) =>
    payloadOf((await signIn({ ...cognito, clientId: 'website', email: address })).accessToken)[
      'sub'
    ];
  const sub = await subOf('alice@example.test');
  expect(await subOf('Alice@Example.test')).toBe(sub);
  expect(await subOf('bob@example.test')).not.toBe(sub);
});

test('the Hub accepts an access token of its client', async () => {
  const cognito = await startTestCognito();
  const { accessToken } = await signIn({ ...cognito, clientId: 'website', email });
  const claims = await hubVerifier(cognito).verify(accessToken);
  expect(claims['username']).toBe(claims.sub);
});

test('the Hub refuses an ID token, another client and a tampered token', async () => {
  const cognito = await startTestCognito({
    clients: [website, { clientId: 'other', callbackUrls: [] }],
  });
  const verifier = hubVerifier(cognito);
  const own = await signIn({ ...cognito, clientId: 'website', email });
  const other = await signIn({ ...cognito, clientId: 'other', email });
  const [header, , signature] = own.accessToken.split('.');
  const forged = { ...payloadOf(own.accessToken), sub: 'someone-else' };
  const payload = Buffer.from(JSON.stringify(forged)).toString('base64url');

  await expect(verifier.verify(own.idToken)).rejects.toThrow(CognitoJwtInvalidTokenUseError);
  await expect(verifier.verify(other.accessToken)).rejects.toThrow(CognitoJwtInvalidClientIdError);
  await expect(verifier.verify(`${header}.${payload}.${signature}`)).rejects.toThrow(
    JwtInvalidSignatureError,
  );
});

test('the Hub refuses a token of another stand-in', async () => {
  const [own, other] = [await startTestCognito(), await startTestCognito()];
  const { accessToken } = await signIn({ ...other, clientId: 'website', email });
  await expect(hubVerifier(own).verify(accessToken)).rejects.toThrow(KidNotFoundInJwksError);
});

test('tokens are of the time the stand-in is told', async () => {
  const nowMs = Date.now() - 2 * 3_600_000;
  const cognito = await startTestCognito({ nowMs: () => nowMs });
  const { accessToken } = await signIn({ ...cognito, clientId: 'website', email });
  expect(payloadOf(accessToken)).toMatchObject({
    iat: Math.floor(nowMs / 1000),
    auth_time: Math.floor(nowMs / 1000),
  });
  await expect(hubVerifier(cognito).verify(accessToken)).rejects.toThrow(JwtExpiredError);
});

test('userInfo tells who an access token is about, as long as it is valid', async () => {
  let nowMs = Date.now();
  const cognito = await startTestCognito({ nowMs: () => nowMs });
  const { accessToken, idToken } = await signIn({ ...cognito, clientId: 'website', email });
  const { sub } = payloadOf(accessToken);
  const answer = await userInfo(cognito, accessToken);
  expect(await answer.json()).toEqual({ sub, username: sub, email, email_verified: 'true' });
  expect((await userInfo(cognito, idToken)).status).toBe(401);
  nowMs += 3_600_000;
  expect((await userInfo(cognito, accessToken)).status).toBe(401);
});
