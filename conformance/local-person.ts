// A person at a local Hub: signs in at its stand-in, allows chats, approves machines, in a browser
// of their own.
import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { type Browser, createBrowser, readForm } from '../local/cognito/browser.ts';
import type { HubRecord } from '../local/hub-record.ts';
import type { ChatHost, Decision, StartedLogin } from './client.ts';

const pagesMax = 6;
const timeoutMs = 30_000;

/** Where each host's chats take their codes: that alone tells the Hub whose they are. */
const redirectOf: Readonly<Record<ChatHost, string>> = {
  web: 'http://127.0.0.1:6274/callback',
  'claude-web': 'https://claude.ai/api/mcp/auth_callback',
  'chatgpt-web': 'https://chatgpt.com/connector_platform_oauth_redirect',
};

const Registered = z.object({ client_id: z.string() });
const Granted = z.object({ access_token: z.string() });

export interface LocalPerson {
  /** Connects a chat of that host anew; gives its token. */
  connectChat(host: ChatHost): Promise<string>;
  /** Goes through the device page. */
  decideLogin(login: StartedLogin, decision: Decision): Promise<void>;
}

export function localPerson({ url, cognito }: HubRecord, email: string): LocalPerson {
  const newBrowser = () => createBrowser(url, cognito.baseUrl);

  async function post(path: string, body: URLSearchParams | string, type?: string) {
    const response = await fetch(`${url}${path}`, {
      method: 'POST',
      body,
      ...(type !== undefined && { headers: { 'content-type': type } }),
      signal: AbortSignal.timeout(timeoutMs),
    });
    return response.json();
  }

  return {
    async connectChat(host) {
      const redirectUri = redirectOf[host];
      const wish = JSON.stringify({ redirect_uris: [redirectUri], client_name: 'Conformance' });
      const registered = await post('/oauth/register', wish, 'application/json');
      const { client_id } = Registered.parse(registered);
      const verifier = randomBytes(32).toString('base64url');
      const target = new URL('/oauth/authorize', url);
      target.search = new URLSearchParams({
        response_type: 'code',
        client_id,
        redirect_uri: redirectUri,
        code_challenge: createHash('sha256').update(verifier).digest('base64url'),
        code_challenge_method: 'S256',
        resource: `${url}/mcp`,
      }).toString();
      const returned = await fillIn(newBrowser(), target, { email, decision: 'allow' });
      const answer = await post(
        '/oauth/token',
        new URLSearchParams({
          grant_type: 'authorization_code',
          client_id,
          redirect_uri: redirectUri,
          code: returned?.searchParams.get('code') ?? '',
          code_verifier: verifier,
        }),
      );
      return Granted.parse(answer).access_token;
    },
    async decideLogin({ url: page, userCode }, decision) {
      await fillIn(newBrowser(), page, { email, user_code: userCode, decision });
    },
  };
}

/**
 * Opens a page and fills the answers into its form, and that of each page that follows; gives where
 * the browser is led away to, undefined if it stays.
 */
export async function fillIn(
  browser: Browser,
  url: string | URL,
  answers: Readonly<Record<string, string>>,
): Promise<URL | undefined> {
  let shown = await browser.open(url);
  for (let pages = 0; pages < pagesMax && !(shown instanceof URL); pages += 1) {
    const form = readForm(await shown.text());
    if (form === null) return undefined;
    shown = await browser.open(new URL(form.action, shown.url), { ...form.fields, ...answers });
  }
  return shown instanceof URL ? shown : undefined;
}
