// The consent page: a person allows one client, by its host and where its codes go, before anybody
// is asked who they are. Without it a client could ride on the sign-in that a browser already has.
import { errors, type Provider } from 'oidc-provider';
import * as z from 'zod';
import { getProfile } from '../../store/accounts.ts';
import { isLoopback } from './clients/redirects.ts';
import { type AuthServer, type Context, readForm, sendTo, show } from './context.ts';
import { csrfToken, isOwnForm } from './csrf.ts';
import { grantClient } from './grants.ts';
import type { BrowserMemory, Goal } from './journey.ts';
import { consentPage } from './pages/forms.ts';
import { formTargetOf, pageHeaders } from './pages/layout.ts';
import { type SignInWay, showExpired } from './sign-in.ts';

type ConsentGoal = Extract<Goal, { kind: 'consent' }>;
type Interaction = Awaited<ReturnType<Provider['interactionDetails']>>;

const Params = z.object({ client_id: z.string(), redirect_uri: z.string() });

export interface Consent {
  /** `GET` and `POST /oauth/consent/<interaction>` */
  page(ctx: Context, interaction: string, way: SignInWay): Promise<void>;
  finish(ctx: Context, goal: ConsentGoal, account: string): Promise<void>;
  decline(ctx: Context, goal: ConsentGoal): Promise<void>;
}

export function consents(
  provider: Provider,
  server: AuthServer,
  { sessions }: BrowserMemory,
): Consent {
  const { secrets, table, pool } = server;

  /** The interaction of this browser, which has its cookie; undefined for any other browser. */
  async function ownInteraction({ req, res }: Context, id: string) {
    try {
      const interaction = await provider.interactionDetails(req, res);
      return interaction.uid === id ? interaction : undefined;
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined;
      throw error;
    }
  }

  async function resume(ctx: Context, id: string, result: Interaction['result']): Promise<void> {
    const interaction = await provider.Interaction.find(id);
    if (interaction === undefined) return showExpired(ctx);
    interaction.result = result;
    await interaction.persist();
    sendTo(ctx, interaction.returnTo);
  }

  /** Who this browser was signed in as lately, if that account can be named. */
  async function knownAccount(ctx: Context) {
    const session = sessions.get(ctx);
    const profile = session && (await getProfile(table, session.account));
    return session && profile && { account: session.account, handle: profile.handle };
  }

  async function ask(ctx: Context, interaction: Interaction): Promise<void> {
    const { client_id: clientId, redirect_uri: redirectUri } = Params.parse(interaction.params);
    const client = await provider.Client.find(clientId);
    const body = consentPage({
      action: ctx.path,
      csrf: csrfToken(secrets, 'consent', interaction.uid),
      clientName: client?.clientName,
      clientHost: URL.parse(clientId)?.host,
      redirectHost: placeOf(redirectUri),
      isNearby: !redirectUri.startsWith('https:'),
      account: (await knownAccount(ctx))?.handle,
    });
    show(ctx, body, pageHeaders(targetsOf(redirectUri)));
  }

  const targetsOf = (redirectUri: string) => [
    new URL(pool.loginUrl).origin,
    formTargetOf(redirectUri),
  ];

  const declined = {
    error: 'access_denied',
    error_description: 'the person declined',
  };

  return {
    async page(ctx, id, way) {
      const interaction = await ownInteraction(ctx, id);
      if (interaction === undefined) return showExpired(ctx);
      if (ctx.method !== 'POST') return ask(ctx, interaction);
      const form = await readForm(ctx);
      if (!isOwnForm(secrets, 'consent', id, form)) return showExpired(ctx);
      const decision = form.get('decision');
      if (decision === 'decline') return resume(ctx, id, declined);
      const formTargets = targetsOf(Params.parse(interaction.params).redirect_uri);
      const goal = { kind: 'consent', interaction: id, formTargets } as const;
      if (decision === 'another') return way.begin(ctx, goal, { again: true });
      if (decision !== 'allow') return ask(ctx, interaction);
      way.begin(ctx, { ...goal, account: (await knownAccount(ctx))?.account });
    },
    async finish(ctx, goal, account) {
      // Somebody else signed in than the page had named: so the page is shown again, naming them.
      if (goal.account !== undefined && goal.account !== account) {
        return sendTo(ctx, `/oauth/consent/${goal.interaction}`);
      }
      const interaction = await provider.Interaction.find(goal.interaction);
      if (interaction === undefined) return showExpired(ctx);
      const { client_id: clientId } = Params.parse(interaction.params);
      const grantId = await grantClient(provider, server, { clientId, account });
      const result = { login: { accountId: account }, consent: { grantId }, select_account: {} };
      return resume(ctx, goal.interaction, result);
    },
    decline: (ctx, goal) => resume(ctx, goal.interaction, declined),
  };
}

/** What of a redirect URI tells a person where they go. */
function placeOf(redirectUri: string): string {
  const { protocol, host } = new URL(redirectUri);
  if (isLoopback(redirectUri)) return `This computer (${host})`;
  return protocol === 'https:' ? host : `The program that opens ${protocol} links`;
}
