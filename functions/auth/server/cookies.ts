// Cookies whose content only this server can read or make.
import type * as z from 'zod';
import type { AuthServer, Context } from './context.ts';

export interface Cookies<Content> {
  get(ctx: Context, id?: string): Content | undefined;
  set(ctx: Context, content: Content, id?: string): void;
  clear(ctx: Context, id?: string): void;
}

/**
 * Cookies of one kind, which last `lifeS` seconds; `id` tells several of them apart. Over https
 * their names begin with `__Host-`: no other host, and no page of ours by mistake, can put one
 * there. The ports of a machine share cookies, so there the names tell the port.
 */
export function sealedCookies<Content>(
  { hubUrl, secrets, table }: Pick<AuthServer, 'hubUrl' | 'secrets' | 'table'>,
  kind: string,
  schema: z.ZodType<Content>,
  lifeS: number,
): Cookies<Content> {
  const nameOf = (id: string) => `${cookiePrefix(hubUrl)}${kind}${id === '' ? '' : `_${id}`}`;
  const options = {
    path: '/',
    httpOnly: true,
    sameSite: 'lax',
    secure: hubUrl.startsWith('https:'),
    signed: false,
    overwrite: true,
  } as const;
  return {
    get(ctx, id = '') {
      const sealed = ctx.cookies.get(nameOf(id), { signed: false });
      if (sealed === undefined) return undefined;
      const text = secrets.open(`cookie ${kind}`, id, Buffer.from(sealed, 'base64url'));
      if (text === undefined) return undefined;
      const { until, content } = JSON.parse(text);
      return until > table.nowMs() ? schema.safeParse(content).data : undefined;
    },
    set(ctx, content, id = '') {
      const until = table.nowMs() + lifeS * 1000;
      const sealed = secrets.seal(`cookie ${kind}`, id, JSON.stringify({ until, content }));
      const value = Buffer.from(sealed).toString('base64url');
      ctx.cookies.set(nameOf(id), value, { ...options, maxAge: lifeS * 1000 });
    },
    clear: (ctx, id = '') => {
      ctx.cookies.set(nameOf(id), null, options);
    },
  };
}

/** What the names of cookies begin with. */
export function cookiePrefix(hubUrl: string): string {
  const { protocol, port } = new URL(hubUrl);
  return protocol === 'https:' ? '__Host-tandry_' : `tandry_${port}_`;
}
