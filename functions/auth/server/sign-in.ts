// The way of a browser through Cognito and back: sent off with a sealed cookie, known again by it,
// asked for a handle if the account has none, and on to what it came for.
import { Handle } from '../../../protocol/ids.ts';
import { getProfile } from '../../store/accounts.ts';
import { cognitoSignIn } from './cognito.ts';
import { type AuthServer, type Context, readForm, sendTo, show } from './context.ts';
import { csrfToken, isOwnForm } from './csrf.ts';
import type { BrowserMemory, Goal } from './journey.ts';
import { handlePage } from './pages/forms.ts';
import { notice, pageHeaders } from './pages/layout.ts';
import { isSameSecret } from './secrets.ts';

const idBytes = 12;
const secretBytes = 32;

/** What happens at the end of the way. */
export interface Arrival {
  arrive(ctx: Context, goal: Goal, account: string): Promise<void>;
  /** The person turned back at Cognito. */
  cancel(ctx: Context, goal: Goal): Promise<void>;
}

export interface SignInWay {
  begin(ctx: Context, goal: Goal, options?: { readonly again?: boolean }): void;
  /** Goes on with an account that is known to be the person's. */
  goOn(ctx: Context, goal: Goal, account: string): Promise<void>;
  /** `GET /oauth/callback` */
  callback(ctx: Context): Promise<void>;
  /** `GET` and `POST /oauth/handle/<id>` */
  handle(ctx: Context, id: string): Promise<void>;
}

export function signInWay(
  server: AuthServer,
  { journeys, sessions }: BrowserMemory,
  { arrive, cancel }: Arrival,
): SignInWay {
  const { table, secrets, randomBytes } = server;
  const cognito = cognitoSignIn(server);
  const random = (count: number) => Buffer.from(randomBytes(count)).toString('base64url');

  async function goOn(ctx: Context, goal: Goal, account: string): Promise<void> {
    if ((await getProfile(table, account)) !== undefined) return arrive(ctx, goal, account);
    const id = random(idBytes);
    journeys.set(ctx, { goal, account }, id);
    sendTo(ctx, `/oauth/handle/${id}`);
  }

  return {
    goOn,
    begin(ctx, goal, { again = false } = {}) {
      const id = random(idBytes);
      const signIn = {
        state: `${id}.${random(secretBytes)}`,
        nonce: random(secretBytes),
        verifier: random(secretBytes),
      };
      journeys.set(ctx, { goal, signIn }, id);
      sendTo(ctx, cognito.authorizeUrl(signIn, { again }));
    },
    async callback(ctx) {
      const { searchParams } = ctx.URL;
      const state = searchParams.get('state') ?? '';
      const [id = ''] = state.split('.');
      const journey = journeys.get(ctx, id);
      if (journey?.signIn === undefined || !isSameSecret(state, journey.signIn.state)) {
        return showExpired(ctx);
      }
      journeys.clear(ctx, id);
      const code = searchParams.get('code');
      if (code === null) return cancel(ctx, journey.goal);
      const account = await cognito.accountOf(code, journey.signIn);
      if (account === undefined) return showExpired(ctx);
      sessions.set(ctx, { account, id: random(idBytes) });
      return goOn(ctx, journey.goal, account);
    },
    async handle(ctx, id) {
      const journey = journeys.get(ctx, id);
      if (journey?.account === undefined) return showExpired(ctx);
      const { goal, account } = journey;
      const csrf = csrfToken(secrets, 'handle', id);
      const targets = goal.kind === 'consent' ? goal.formTargets : [];
      const ask = (handle: string, error?: string) => {
        const body = handlePage({ action: ctx.path, csrf, handle, error });
        show(ctx, body, pageHeaders(targets), error === undefined ? 200 : 400);
      };
      if (ctx.method !== 'POST') return ask('');
      const form = await readForm(ctx);
      if (!isOwnForm(secrets, 'handle', id, form)) return showExpired(ctx);
      const typed = (form.get('handle') ?? '').trim().toLowerCase();
      const handle = Handle.safeParse(typed);
      if (!handle.success) return ask(typed, refusalOf(handle.error));
      if ((await server.claimHandle(account, handle.data)) === 'taken') {
        return ask(typed, 'Somebody else has this handle already.');
      }
      journeys.clear(ctx, id);
      return arrive(ctx, goal, account);
    },
  };
}

function refusalOf({ issues }: { readonly issues: readonly { readonly message: string }[] }) {
  const reason = issues[0]?.message ?? 'not allowed';
  return `That does not work: ${reason}.`;
}

/** For a page or a way that this browser is not, or no longer, on. */
export function showExpired(ctx: Context): void {
  const text = 'Go back to where you came from and start again.';
  show(ctx, notice('This has expired', text), pageHeaders(), 400);
}

/** Back to the device page, with the code that the person came with. */
export async function sendToDevicePage(ctx: Context, { userCode }: { userCode: string }) {
  const query = userCode === '' ? '' : `?${new URLSearchParams({ user_code: userCode })}`;
  sendTo(ctx, `/device${query}`);
}
