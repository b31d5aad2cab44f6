// A stand-in for one test, in a folder that is thrown away after it.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { AppClient, CognitoOptions } from './options.ts';
import { type Cognito, startCognito } from './start.ts';

export const website: AppClient = {
  clientId: 'website',
  callbackUrls: ['https://hub.example.com/signed-in'],
  logoutUrls: ['https://hub.example.com/'],
};

/** A folder that is removed when the test ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cognito-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Starts a stand-in that ends with the test; `clients` is the website's alone if not given. */
export async function startTestCognito(options: Partial<CognitoOptions> = {}): Promise<Cognito> {
  const cognito = await startCognito({
    port: 0,
    folder: options.folder ?? temporaryFolder(),
    region: 'eu-west-1',
    poolId: 'eu-west-1_local',
    clients: [website],
    ...options,
  });
  let isOpen = true;
  const close = async () => {
    if (isOpen) await cognito.close();
    isOpen = false;
  };
  onTestFinished(close);
  return { ...cognito, close };
}

export const verifier = 'v'.repeat(43);

/**
 * An authorization request of the website; `changes` replace or (undefined) leave out parameters.
 */
export function authorizeUrl(
  { baseUrl }: Cognito,
  changes: Record<string, string | undefined> = {},
): URL {
  const url = new URL('/oauth2/authorize', baseUrl);
  const parameters: Record<string, string | undefined> = {
    response_type: 'code',
    client_id: 'website',
    redirect_uri: 'http://localhost:5173/signed-in',
    scope: 'openid email',
    state: 'some-state',
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    ...changes,
  };
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) url.searchParams.set(name, value);
  }
  return url;
}

/** Posts to the token endpoint and gives status and body. */
export async function postToken(
  { baseUrl }: Cognito,
  form: Record<string, string>,
  headers: Record<string, string> = {},
) {
  const response = await fetch(`${baseUrl}/oauth2/token`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  });
  const answer: unknown = await response.json();
  return { status: response.status, answer };
}

/** The payload of a token, unverified. */
export function payloadOf(token: string): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
}
