// What is checked before a request reaches oidc-provider: that its path is served, how often an
// address may begin, ask for tokens or device codes, or register clients, and what a registration
// may say.
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { limitFor, type SignInPolicy } from '../../policy.ts';
import { attemptsOf, countAttempt } from '../../store/attempts.ts';
import { redirectRules } from './clients/redirects.ts';
import { readRegistration } from './clients/registration.ts';
import type { AuthServer } from './context.ts';
import { notice, pageHeaders } from './pages/layout.ts';
import { methodsOf } from './paths.ts';

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const patienceMs = 8_000;

/** The answer that ends a request here, or the body with which it goes on. */
export type Passage =
  | { readonly answer: APIGatewayProxyStructuredResultV2 }
  | { readonly body: string | undefined };

export type Gate = (event: APIGatewayProxyEventV2, address: string) => Promise<Passage>;

export function createGate(server: AuthServer): Gate {
  const rules = redirectRules(server.redirects);

  /**
   * Seconds to wait; undefined if the address may go on. Both ways to a device code are one count.
   */
  async function waitS({ what, limit, windowMs }: Limited, address: string) {
    const { table, policy } = server;
    const deadline = { atMs: table.nowMs() + patienceMs };
    const limits = { limit: limitFor(policy, policy[limit], address), windowMs };
    const waitMs = await countAttempt(table, deadline, attemptsOf(what, address), limits);
    return waitMs === undefined ? undefined : Math.ceil(waitMs / 1000);
  }

  return async (event, address) => {
    const { method } = event.requestContext.http;
    const methods = methodsOf(event.rawPath);
    if (methods?.includes(method) !== true) return { answer: notServed(methods) };
    const limited = limitedPaths[`${method} ${event.rawPath}`];
    if (limited === undefined) return { body: undefined };
    const wait = await waitS(limited, address);
    if (wait !== undefined) return { answer: withRetry(limited.refusal(), wait) };
    if (limited.what !== 'registrations') return { body: undefined };
    const read = readRegistration(rules, bodyOf(event));
    if ('registration' in read) return { body: read.registration };
    const { status, ...error } = read;
    return { answer: json(status, error) };
  };
}

interface Limited {
  readonly what: string;
  readonly limit: Extract<keyof SignInPolicy, `${string}Per${string}`>;
  readonly windowMs: number;
  /** Told to a program, or on a page to a person. */
  readonly refusal: () => APIGatewayProxyStructuredResultV2;
}

const ofAnHour = { windowMs: hourMs, refusal: tooMany };

const limitedPaths: Readonly<Record<string, Limited>> = {
  'POST /oauth/register': { what: 'registrations', limit: 'registrationsPerHour', ...ofAnHour },
  'POST /oauth/device_authorization': {
    what: 'device codes',
    limit: 'deviceCodesPerHour',
    ...ofAnHour,
  },
  'GET /oauth/authorize': {
    what: 'authorizations',
    limit: 'authorizationsPerMinute',
    windowMs: minuteMs,
    refusal: tooManyPage,
  },
  'POST /oauth/token': {
    what: 'token requests',
    limit: 'tokenRequestsPerMinute',
    windowMs: minuteMs,
    refusal: tooMany,
  },
};

function bodyOf({ body = '', isBase64Encoded }: APIGatewayProxyEventV2): string {
  return isBase64Encoded ? Buffer.from(body, 'base64').toString('utf8') : body;
}

function notServed(methods: readonly string[] | undefined): APIGatewayProxyStructuredResultV2 {
  if (methods === undefined) {
    return { statusCode: 404, headers: pageHeaders(), body: notice('Not here', 'No such page.') };
  }
  const headers = { ...pageHeaders(), allow: methods.join(', ') };
  return { statusCode: 405, headers, body: notice('Not like this', 'Open the page itself.') };
}

function tooMany(): APIGatewayProxyStructuredResultV2 {
  const error_description = 'too many from this address, try again later';
  return json(429, { error: 'slow_down', error_description });
}

function tooManyPage(): APIGatewayProxyStructuredResultV2 {
  const text = 'Too many sign-ins were started from your network. Wait a minute and try again.';
  return { statusCode: 429, headers: pageHeaders(), body: notice('Not now', text) };
}

function withRetry(
  { headers, ...answer }: APIGatewayProxyStructuredResultV2,
  waitS: number,
): APIGatewayProxyStructuredResultV2 {
  return { ...answer, headers: { ...headers, 'retry-after': String(waitS) } };
}

function json(statusCode: number, body: object): APIGatewayProxyStructuredResultV2 {
  return {
    statusCode,
    headers: {
      'content-type': 'application/json',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    },
    body: JSON.stringify(body),
  };
}
