// Signing out: ends the browser's session here and sends it to one of the client's logout URLs.
import type { Provider } from 'oidc-provider';
import { type AppClient, isLoopbackUrl } from './options.ts';
import { noticePage, pageHeaders } from './pages.ts';
import type { Middleware } from './provider.ts';

/** Serves `/logout?client_id=…&logout_uri=…`; tokens live on, as they do in Cognito. */
export function logout(provider: Provider, clients: readonly AppClient[]): Middleware {
  return async (ctx, next) => {
    if (ctx.path !== '/logout') return next();
    const { client_id: clientId, logout_uri: logoutUrl } = ctx.query;
    const client = clients.find((known) => known.clientId === clientId);
    const isAllowed =
      typeof logoutUrl === 'string' &&
      (isLoopbackUrl(logoutUrl) || client?.logoutUrls?.includes(logoutUrl));
    if (client === undefined || !isAllowed) {
      ctx.set(pageHeaders);
      ctx.status = 400;
      ctx.body = noticePage('Sign-out failed', 'Unknown client_id, or not one of its logout URLs.');
      return;
    }
    const session = await provider.Session.get(ctx);
    await session.destroy();
    ctx.cookies.set(provider.cookieName('session'), null, { httpOnly: true, sameSite: 'lax' });
    ctx.status = 303;
    ctx.redirect(logoutUrl);
  };
}
