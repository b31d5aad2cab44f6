// The login page of an authorization request: asks for an email address and believes it.
import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { errors, type Provider } from 'oidc-provider';
import * as z from 'zod';
import { loginPage, noticePage, pageHeaders } from './pages.ts';
import type { Context, Middleware } from './provider.ts';
import type { Users } from './users.ts';

const formLimitCharacters = 4096;

const Email = z.email().max(254);
const Hint = z.string().catch('');

interface LoginParts {
  provider: Provider;
  users: Users;
  cookieKey: string;
  /** Names the stand-in at the foot of the page. */
  pool: string;
}

async function readForm(request: IncomingMessage): Promise<URLSearchParams> {
  let form = '';
  for await (const chunk of request.setEncoding('utf8')) {
    form += chunk;
    if (form.length > formLimitCharacters) break;
  }
  return new URLSearchParams(form);
}

/** Serves `/login/<uid>`: GET shows the form, POST signs in and resumes the authorization. */
export function login({ provider, users, cookieKey, pool }: LoginParts): Middleware {
  // Derived from the interaction, whose cookie only its own browser has: a form made for another
  // interaction, or by another site, does not carry it.
  const csrfToken = (uid: string) =>
    createHmac('sha256', cookieKey).update(`login:${uid}`).digest();

  async function findInteraction(ctx: Context) {
    try {
      return await provider.interactionDetails(ctx.req, ctx.res);
    } catch (error) {
      if (error instanceof errors.SessionNotFound) return undefined;
      throw error;
    }
  }

  function show(ctx: Context, uid: string, email: string, error?: string) {
    const csrf = csrfToken(uid).toString('base64url');
    ctx.set(pageHeaders);
    ctx.status = error === undefined ? 200 : 400;
    ctx.body = loginPage({ action: ctx.path, csrf, email, error, pool });
  }

  async function submit(ctx: Context, uid: string) {
    const form = await readForm(ctx.req);
    const csrf = Buffer.from(form.get('csrf') ?? '', 'base64url');
    const expected = csrfToken(uid);
    if (csrf.length !== expected.length || !timingSafeEqual(csrf, expected)) {
      return expired(ctx);
    }
    const typed = form.get('email')?.trim() ?? '';
    const email = Email.safeParse(typed);
    if (!email.success) {
      return show(ctx, uid, typed, 'That is not an email address.');
    }
    const { sub } = users.byEmail(email.data);
    const result = { login: { accountId: sub } };
    const resume = await provider.interactionResult(ctx.req, ctx.res, result);
    ctx.status = 303;
    ctx.redirect(resume);
  }

  return async (ctx, next) => {
    const uid = /^\/login\/([\w-]+)$/.exec(ctx.path)?.[1];
    if (uid === undefined) return next();
    const interaction = await findInteraction(ctx);
    if (interaction?.uid !== uid) return expired(ctx);
    if (ctx.method === 'POST') return submit(ctx, uid);
    show(ctx, uid, Hint.parse(interaction.params['login_hint']));
  };
}

function expired(ctx: Context) {
  ctx.set(pageHeaders);
  ctx.status = 400;
  ctx.body = noticePage('Sign-in expired', 'Go back to where you came from and start again.');
}
