// The authorization server as one application: our pages and metadata in front of oidc-provider's
// endpoints.
import type { EventEmitter } from 'node:events';
import type Provider from 'oidc-provider';
import { scope } from '../resource.ts';
import { type Consent, consents } from './consent.ts';
import { type AuthServer, type Context, type Step, show } from './context.ts';
import { devicePage } from './device.ts';
import { browserMemory, type Goal } from './journey.ts';
import { allowAnyOrigin, metadata } from './metadata.ts';
import { notice, pageHeaders } from './pages/layout.ts';
import { createProvider } from './provider.ts';
import { type Arrival, sendToDevicePage, signInWay } from './sign-in.ts';

/** The application; `callback()` of it answers Node requests. */
export function createAuthorizationServer(server: AuthServer): Provider {
  const provider = createProvider(server);
  provider.on('server_error', (_ctx, error) => logFault(server, error));
  // Koa's own event, which would go to the console otherwise.
  const application: EventEmitter = provider;
  application.on('error', (error: Error) => logFault(server, error));
  provider.use(metadata(server));
  provider.use(openRegistration);
  provider.use(withNotice(server));
  provider.use(pages(provider, server));
  provider.use(withScope);
  return provider;
}

/** Names only: the text of an error may quote a request. */
function logFault({ log }: AuthServer, error: Error): void {
  log({ level: 'error', operation: 'authorize', outcome: 'unavailable', fault: error.name });
}

/** Pages of any origin may register, as they may ask for tokens; the library leaves it out here. */
const openRegistration: Step = async (ctx, next) => {
  if (ctx.path === '/oauth/register') allowAnyOrigin(ctx);
  if (ctx.method !== 'OPTIONS' || ctx.path !== '/oauth/register') await next();
};

/** What goes wrong on a page is told on a page; the library tells its own failures itself. */
function withNotice(server: AuthServer): Step {
  return async (ctx, next) => {
    try {
      await next();
    } catch (error) {
      logFault(server, error instanceof Error ? error : new Error());
      const text = 'Something is not available at the moment. Go back and try again.';
      show(ctx, notice('Not now', text), pageHeaders(), 503);
    }
  };
}

type Page = (ctx: Context, id: string) => Promise<void> | void;

/** Our pages by path; what follows the path of one is its `id`. */
function pages(provider: Provider, server: AuthServer): Step {
  const memory = browserMemory(server);
  const consent = consents(provider, server, memory);
  const device = devicePage(provider, server, memory);
  const way = signInWay(server, memory, arrivals(consent));
  const getOrPost = new Set(['GET', 'POST']);
  const routes: readonly [path: RegExp, methods: ReadonlySet<string>, page: Page][] = [
    [/^\/oauth\/consent\/([\w-]+)$/, getOrPost, (ctx, id) => consent.page(ctx, id, way)],
    [/^\/oauth\/handle\/([\w-]+)$/, getOrPost, (ctx, id) => way.handle(ctx, id)],
    [/^\/oauth\/callback$/, new Set(['GET']), (ctx) => way.callback(ctx)],
    [/^\/device$/, getOrPost, (ctx) => device.enter(ctx, way)],
    [/^\/device\/decide$/, new Set(['POST']), (ctx) => device.decide(ctx, way)],
  ];
  return async (ctx, next) => {
    for (const [path, methods, page] of routes) {
      const match = path.exec(ctx.path);
      if (match !== null && methods.has(ctx.method)) return page(ctx, match[1] ?? '');
    }
    await next();
  };
}

/**
 * What belongs to OpenID Connect: clients that speak it send these whether or not they are told to.
 */
const openIdOnly = ['acr_values', 'claims', 'claims_locales', 'id_token_hint', 'max_age', 'nonce'];

/**
 * There is one scope, and every client gets it: it need not be named, and no other counts. Answers
 * go in the query alone, where clients look for `iss`.
 */
const withScope: Step = async (ctx, next) => {
  if (ctx.path === '/oauth/authorize' && ctx.method === 'GET') {
    const { scope: asked } = ctx.query;
    const wantsToStay = typeof asked === 'string' && asked.split(' ').includes('offline_access');
    const given = Object.entries(ctx.query).filter(([name]) => !openIdOnly.includes(name));
    ctx.query = {
      ...Object.fromEntries(given),
      scope: wantsToStay ? `${scope} offline_access` : scope,
      response_mode: 'query',
    };
  }
  await next();
};

function arrivals(consent: Consent): Arrival {
  return {
    arrive(ctx, goal, account) {
      if (goal.kind === 'consent') return consent.finish(ctx, goal, account);
      return sendToDevicePage(ctx, goal);
    },
    async cancel(ctx, goal: Goal) {
      if (goal.kind === 'consent') return consent.decline(ctx, goal);
      show(ctx, notice('Not signed in', 'Nothing was approved.'), pageHeaders(), 400);
    },
  };
}
