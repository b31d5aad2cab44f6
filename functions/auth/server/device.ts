// The device page: a person types or confirms a code, sees what asks, and decides (RFC 8628).
import type Provider from 'oidc-provider';
import { formatUserCode, parseUserCode } from '../../domain/user-code.ts';
import { getProfile } from '../../store/accounts.ts';
import { attemptsOf, countAttempt, uncountAttempt } from '../../store/attempts.ts';
import { type AuthServer, type Context, readForm, show } from './context.ts';
import { csrfToken, isOwnForm } from './csrf.ts';
import { type DeviceRequest, findDeviceRequest } from './device-requests.ts';
import type { BrowserMemory, Session } from './journey.ts';
import { codePage, reviewPage } from './pages/forms.ts';
import { notice, pageHeaders } from './pages/layout.ts';
import { type SignInWay, showExpired } from './sign-in.ts';

const windowMs = 15 * 60_000;
const patienceMs = 8_000;
const typedCharacters = 20;

export interface DevicePage {
  /** `GET` and `POST /device` */
  enter(ctx: Context, way: SignInWay): Promise<void>;
  /** `POST /device/decide` */
  decide(ctx: Context, way: SignInWay): Promise<void>;
}

/** A person who is signed in and has a handle. */
interface Visitor extends Session {
  readonly handle: string;
}

type Found = DeviceRequest | 'unknown' | 'too many';

export function devicePage(
  provider: Provider,
  server: AuthServer,
  { sessions }: BrowserMemory,
): DevicePage {
  const { table, secrets, policy, pool } = server;
  const headers = pageHeaders([new URL(pool.loginUrl).origin]);
  const csrfOf = ({ id }: Session) => csrfToken(secrets, 'device', id);

  /** The visitor; or nobody, and the browser is on its way to become one. */
  async function requireVisitor(ctx: Context, way: SignInWay): Promise<Visitor | undefined> {
    const goal = { kind: 'device', userCode: codeIn(ctx.URL.searchParams) } as const;
    const session = sessions.get(ctx);
    if (session === undefined) {
      way.begin(ctx, goal);
      return undefined;
    }
    const profile = await getProfile(table, session.account);
    if (profile !== undefined) return { ...session, handle: profile.handle };
    await way.goOn(ctx, goal, session.account);
    return undefined;
  }

  /** A code is a guess until it is found: so it counts first, however many come at once. */
  async function find({ account }: Visitor, userCode: string): Promise<Found> {
    const deadline = { atMs: table.nowMs() + patienceMs };
    const key = attemptsOf('user codes', account);
    const limit = { limit: policy.userCodeAttempts, windowMs };
    if ((await countAttempt(table, deadline, key, limit)) !== undefined) return 'too many';
    const request = await findDeviceRequest(provider, server, userCode);
    if (request === undefined) return 'unknown';
    await uncountAttempt(table, deadline, key);
    return request;
  }

  function askForCode(ctx: Context, visitor: Visitor, typed: string, error?: string): void {
    const canonical = parseUserCode(typed);
    const body = codePage({
      action: '/device',
      csrf: csrfOf(visitor),
      account: visitor.handle,
      userCode: canonical === undefined ? typed : formatUserCode(canonical),
      error,
    });
    show(ctx, body, headers, error === undefined ? 200 : 400);
  }

  /** The form's visitor and what it found; undefined if the answer is given already. */
  async function readDecision(ctx: Context, way: SignInWay) {
    const visitor = await requireVisitor(ctx, way);
    if (visitor === undefined) return undefined;
    const form = await readForm(ctx);
    if (!isOwnForm(secrets, 'device', visitor.id, form)) {
      showExpired(ctx);
      return undefined;
    }
    const typed = codeIn(form);
    const decision = form.get('decision');
    if (decision === 'another') {
      way.begin(ctx, { kind: 'device', userCode: typed }, { again: true });
      return undefined;
    }
    const userCode = parseUserCode(typed);
    const found = userCode === undefined ? 'unknown' : await find(visitor, userCode);
    if (found === 'too many') {
      const text = 'Too many wrong codes. Wait a quarter of an hour, then ask for a new one.';
      show(ctx, notice('Not now', text), headers, 429);
      return undefined;
    }
    if (found === 'unknown' || userCode === undefined) {
      const text = 'No machine waits with this code. It may have expired: ask for a new one there.';
      askForCode(ctx, visitor, typed, text);
      return undefined;
    }
    return { visitor, userCode, request: found, decision };
  }

  return {
    async enter(ctx, way) {
      if (ctx.method !== 'POST') {
        const visitor = await requireVisitor(ctx, way);
        if (visitor !== undefined) askForCode(ctx, visitor, codeIn(ctx.URL.searchParams));
        return;
      }
      const read = await readDecision(ctx, way);
      if (read === undefined) return;
      const { visitor, userCode, request } = read;
      const body = reviewPage({
        action: '/device/decide',
        csrf: csrfOf(visitor),
        userCode,
        account: visitor.handle,
        rows: request.rows,
      });
      show(ctx, body, headers);
    },
    async decide(ctx, way) {
      const read = await readDecision(ctx, way);
      if (read === undefined) return;
      const { visitor, request, decision } = read;
      const isApproved = decision === 'approve';
      const isDecided = await (isApproved ? request.approve(visitor.account) : request.decline());
      if (!isDecided) return showExpired(ctx);
      const [title, text] = isApproved
        ? ['Approved', 'The machine is signed in. You can close this page and go back to it.']
        : ['Declined', 'The machine was not signed in. You can close this page.'];
      show(ctx, notice(title, text), headers);
    },
  };
}

/** A code as it was typed, or stood in the address. */
function codeIn(parameters: URLSearchParams): string {
  return (parameters.get('user_code') ?? '').slice(0, typedCharacters);
}
