// What the stand-in keeps in its folder: enough to go on after a restart, and for its owner only.
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { JwtVerifier } from 'aws-jwt-verify';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import { expect, test } from 'vitest';
import { signIn } from '../sign-in.ts';
import { StartError } from '../start-error.ts';
import { payloadOf, postToken, startTestCognito, temporaryFolder } from './testing.ts';

const user = { clientId: 'website', email: 'alice@example.test' };

test('users, keys and refresh tokens survive a restart', async () => {
  const folder = temporaryFolder();
  const before = await startTestCognito({ folder });
  const signedIn = await signIn({ ...before, ...user });
  await before.close();

  const port = Number(new URL(before.baseUrl).port);
  const after = await startTestCognito({ folder, port });
  expect(after.issuer).toBe(before.issuer);
  const fetcher = { fetch: async (uri: string) => (await fetch(uri)).arrayBuffer() };
  const verifier = JwtVerifier.create(
    { issuer: after.issuer, audience: null, jwksUri: after.jwksUri },
    { jwksCache: new SimpleJwksCache({ fetcher }) },
  );
  const { sub } = await verifier.verify(signedIn.accessToken);
  const refreshed = await postToken(after, {
    grant_type: 'refresh_token',
    client_id: 'website',
    refresh_token: signedIn.refreshToken,
  });
  expect(refreshed.status).toBe(200);
  const again = await signIn({ ...after, ...user });
  expect(payloadOf(again.accessToken)['sub']).toBe(sub);
});

test('only the owner of the folder reads it, and no secret stands in it as it was given', async () => {
  const folder = join(temporaryFolder(), 'made', 'on-start');
  const cognito = await startTestCognito({ folder });
  const { refreshToken } = await signIn({ ...cognito, ...user });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  const files = readdirSync(folder);
  expect(files).toContain('cognito.sqlite');
  for (const file of files) expect(statSync(join(folder, file)).mode & 0o777).toBe(0o600);
  for (const file of files) {
    expect(readFileSync(join(folder, file), 'latin1')).not.toContain(refreshToken);
  }
});

test('a damaged folder is named in one line', async () => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, 'cognito.sqlite'), 'not a database at all, just text\n'.repeat(100));
  const start = startTestCognito({ folder });
  await expect(start).rejects.toThrow(StartError);
  await expect(start).rejects.toThrow(new RegExp(`^[^\n]*${folder}[^\n]*$`));
});

test('a port that is taken is named in one line', async () => {
  const { baseUrl } = await startTestCognito();
  const { port } = new URL(baseUrl);
  const start = startTestCognito({ port: Number(port) });
  await expect(start).rejects.toThrow(StartError);
  await expect(start).rejects.toThrow(port);
});
