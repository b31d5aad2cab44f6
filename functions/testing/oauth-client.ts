// An OAuth client and its person, for tests: what Claude, ChatGPT and others do to connect.
import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { type Browser, createBrowser, readForm } from '../../local/cognito/browser.ts';
import type { TestAuth } from './test-auth.ts';

/** The Hub's address is all a client is told. */
type HubAddress = Pick<TestAuth, 'url'>;

export interface Client {
  readonly clientId: string;
  readonly redirectUri: string;
}

/** What a client keeps from an authorization until its code comes. */
export interface Pending extends Client {
  readonly verifier: string;
  readonly state: string;
  readonly url: URL;
}

export const TokenAnswer = z.object({
  access_token: z.string(),
  refresh_token: z.string(),
  token_type: z.string(),
  expires_in: z.number(),
  scope: z.string(),
});
export type TokenAnswer = z.infer<typeof TokenAnswer>;

export const claudeRedirect = 'https://claude.ai/api/mcp/auth_callback';

/** Registers a client with these redirect URIs and gives its ID. */
export async function register({ url }: HubAddress, ...redirectUris: string[]): Promise<Client> {
  const response = await fetch(`${url}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'A test',
      redirect_uris: redirectUris,
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    }),
  });
  const { client_id } = z.object({ client_id: z.string() }).parse(await response.json());
  return { clientId: client_id, redirectUri: redirectUris[0] ?? '' };
}

/** An authorization request; `changes` replace parameters, or leave them out where undefined. */
export function requestOf(
  { url }: HubAddress,
  client: Client,
  changes: Readonly<Record<string, string | undefined>> = {},
): Pending {
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const parameters: Readonly<Record<string, string | undefined>> = {
    response_type: 'code',
    client_id: client.clientId,
    redirect_uri: client.redirectUri,
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
    resource: `${url}/mcp`,
    scope: 'rooms offline_access',
    ...changes,
  };
  const target = new URL('/oauth/authorize', url);
  for (const [name, value] of Object.entries(parameters)) {
    if (value !== undefined) target.searchParams.set(name, value);
  }
  return { ...client, verifier, state, url: target };
}

/** A browser that knows the Hub and the place where people sign in. */
export function openBrowser({ url, cognito }: TestAuth): Browser {
  return createBrowser(url, cognito.baseUrl);
}

/** A page a browser shows; fails where it was sent somewhere else. */
export async function pageOf(shown: Response | URL): Promise<{ url: string; text: string }> {
  if (shown instanceof URL) throw new Error(`sent to ${shown.origin}${shown.pathname}`);
  return { url: shown.url, text: await shown.text() };
}

/** Fills in the page's first form and sends it. */
export async function submit(
  browser: Browser,
  page: { url: string; text: string },
  fields: Readonly<Record<string, string>>,
): Promise<Response | URL> {
  const form = readForm(page.text);
  if (form === null) throw new Error(`no form at ${page.url}: ${page.text}`);
  return browser.open(new URL(form.action, page.url), { ...form.fields, ...fields });
}

/**
 * A person goes through an authorization: allows it, signs in with `email`, picks a handle when
 * asked. Gives where the browser was sent in the end.
 */
export async function allow(
  browser: Browser,
  { url }: Pick<Pending, 'url'>,
  email: string,
): Promise<URL> {
  const consent = await pageOf(await browser.open(url));
  let shown = await submit(browser, consent, { decision: 'allow' });
  if (!(shown instanceof URL) && shown.url.includes('/login/')) {
    shown = await submit(browser, await pageOf(shown), { email });
  }
  if (!(shown instanceof URL) && shown.url.includes('/oauth/handle/')) {
    shown = await submit(browser, await pageOf(shown), { handle: handleOf(email) });
  }
  if (shown instanceof URL) return shown;
  throw new Error(`not sent back: ${shown.url} ${await shown.text()}`);
}

/** The handle that a person of a test picks. */
export function handleOf(email: string): string {
  return email.split('@')[0]?.replace(/\W/g, '_') ?? '';
}

/** Posts to an endpoint of the server and gives status and body. */
export async function post(
  { url }: HubAddress,
  path: string,
  form: Readonly<Record<string, string>>,
  headers: Readonly<Record<string, string>> = {},
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const response = await fetch(`${url}${path}`, {
    method: 'POST',
    headers,
    body: new URLSearchParams(form),
  });
  const text = await response.text();
  return {
    status: response.status,
    body: text === '' ? undefined : JSON.parse(text),
    headers: response.headers,
  };
}

/** Exchanges the code that came back; `changes` replace parts of the request. */
export function exchange(
  auth: HubAddress,
  pending: Pending,
  returned: URL,
  changes: Readonly<Record<string, string>> = {},
) {
  return post(auth, '/oauth/token', {
    grant_type: 'authorization_code',
    client_id: pending.clientId,
    redirect_uri: pending.redirectUri,
    code: returned.searchParams.get('code') ?? '',
    code_verifier: pending.verifier,
    resource: `${auth.url}/mcp`,
    ...changes,
  });
}

export function refresh(auth: HubAddress, { clientId }: Client, refreshToken: string) {
  return post(auth, '/oauth/token', {
    grant_type: 'refresh_token',
    client_id: clientId,
    refresh_token: refreshToken,
  });
}

/** Connects a client for a person, start to end. */
export async function connect(auth: TestAuth, client: Client, email: string) {
  const pending = requestOf(auth, client);
  const returned = await allow(openBrowser(auth), pending, email);
  const { body } = await exchange(auth, pending, returned);
  return TokenAnswer.parse(body);
}
