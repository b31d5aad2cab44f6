// Signs in at the local Cognito stand-in the way a browser does (authorize, login form, code, token
// with PKCE), for programs: the demo, the tests, `npm run token`.
import { createHash, randomBytes } from 'node:crypto';
import * as z from 'zod';
import { createBrowser, readAlert, readForm } from './cognito/browser.ts';

export interface SignInOptions {
  /** The stand-in's base URL, under which `/oauth2/authorize` is. */
  baseUrl: string;
  clientId: string;
  email: string;
  /** Never opened: the code is taken from the redirect. Any loopback URL will do. */
  redirectUri?: string;
}

export interface SignedIn {
  /** What the website sends to the Hub. */
  accessToken: string;
  idToken: string;
  refreshToken: string;
  /** When the access token ends, in ms. */
  expiresAt: number;
}

/** The login page refused, or is not the stand-in's; the message is one line for a person. */
export class SignInError extends Error {
  override name = 'SignInError';
}

const TokenAnswer = z.object({
  access_token: z.string(),
  id_token: z.string(),
  refresh_token: z.string(),
  expires_in: z.number(),
});

const timeoutMs = 15_000;

async function authorize(authorizeUrl: URL, email: string): Promise<URL> {
  const browser = createBrowser(authorizeUrl.origin);
  const login = await browser.open(authorizeUrl);
  if (login instanceof URL) return login;
  const page = await login.text();
  const form = readForm(page);
  if (form === null) throw new SignInError(readAlert(page) ?? 'This is not the login page.');
  const answer = await browser.open(new URL(form.action, login.url), { ...form.fields, email });
  if (answer instanceof URL) return answer;
  throw new SignInError(readAlert(await answer.text()) ?? 'The login page asked twice.');
}

/**
 * Signs `email` in, making the user on first sight. Throws SignInError if the stand-in refuses,
 * fetch's own error if none answers.
 */
export async function signIn(options: SignInOptions): Promise<SignedIn> {
  const { baseUrl, clientId, email, redirectUri = 'http://127.0.0.1/sign-in' } = options;
  const verifier = randomBytes(32).toString('base64url');
  const state = randomBytes(16).toString('base64url');
  const authorizeUrl = new URL('/oauth2/authorize', baseUrl);
  authorizeUrl.search = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirectUri,
    scope: 'openid email profile',
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();

  const { searchParams } = await authorize(authorizeUrl, email);
  const code = searchParams.get('code');
  if (code === null || searchParams.get('state') !== state) {
    throw new SignInError(`Sign-in refused: ${searchParams.get('error') ?? 'another state'}.`);
  }
  const response = await fetch(new URL('/oauth2/token', baseUrl), {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: clientId,
      redirect_uri: redirectUri,
      code,
      code_verifier: verifier,
    }),
    signal: AbortSignal.timeout(timeoutMs),
  });
  if (!response.ok) throw new SignInError(`No token at sign-in (HTTP ${response.status}).`);
  const answer = TokenAnswer.parse(await response.json());
  return {
    accessToken: answer.access_token,
    idToken: answer.id_token,
    refreshToken: answer.refresh_token,
    expiresAt: Date.now() + answer.expires_in * 1000,
  };
}
