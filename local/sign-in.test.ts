// Signing in without a browser gives usable tokens, or one line that says why not.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { expect, onTestFinished, test } from 'vitest';
import { payloadOf, startTestCognito, website } from './cognito/testing.ts';
import { SignInError, signIn } from './sign-in.ts';

test('it gives the tokens of the person and when they end', async () => {
  const { baseUrl } = await startTestCognito();
  const before = Date.now();
  const tokens = await signIn({ baseUrl, clientId: 'website', email: 'alice@example.test' });
  expect(payloadOf(tokens.accessToken)['token_use']).toBe('access');
  expect(payloadOf(tokens.idToken)['email']).toBe('alice@example.test');
  expect(tokens.refreshToken).toMatch(/^[\w-]{40,}$/);
  expect(tokens.expiresAt).toBeGreaterThanOrEqual(before + 3_600_000);
  expect(tokens.expiresAt).toBeLessThanOrEqual(Date.now() + 3_600_000);
});

test('it can come back to a URL the client has registered', async () => {
  const { baseUrl } = await startTestCognito();
  const redirectUri = website.callbackUrls[0] ?? '';
  const email = 'alice@example.test';
  const { accessToken } = await signIn({ baseUrl, clientId: 'website', email, redirectUri });
  expect(payloadOf(accessToken)['client_id']).toBe('website');
});

test.each([
  [{ email: 'not an address' }, 'That is not an email address.'],
  [{ clientId: 'nobody' }, /^invalid_client: /],
  [{ redirectUri: 'https://evil.example.com/' }, /^invalid_redirect_uri: .*client's registered/],
])('with %o it says what the page says', async (changes, message) => {
  const { baseUrl } = await startTestCognito();
  const user = { baseUrl, clientId: 'website', email: 'alice@example.test' };
  const attempt = signIn({ ...user, ...changes });
  await expect(attempt).rejects.toThrow(SignInError);
  await expect(attempt).rejects.toThrow(message);
});

test('it takes no code that comes with another state', async () => {
  const server = createServer((_request, response) => {
    response.writeHead(303, { location: 'http://127.0.0.1/sign-in?code=c&state=other' }).end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const address = server.address();
  const baseUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const attempt = signIn({ baseUrl, clientId: 'website', email: 'alice@example.test' });
  await expect(attempt).rejects.toThrow('Sign-in refused: another state.');
});
