// What the authorization server works with, and how a request reaches its pages.
import type Provider from 'oidc-provider';
import type { SignInPolicy } from '../../policy.ts';
import type { Table } from '../../store/table-port.ts';
import type { Network } from './clients/guarded-fetch.ts';
import type { Secrets } from './secrets.ts';

/** Where people prove who they are: Cognito's managed login, or the local stand-in. */
export interface SignInPool {
  readonly issuer: string;
  readonly jwksUri: string;
  /** Of the managed login, without a slash at the end: `/oauth2/authorize` is under it. */
  readonly loginUrl: string;
  /** A public client of the pool that may send people back to `<hub>/oauth/callback`. */
  readonly clientId: string;
}

/** How a handle was refused, or that it was not. */
export type ClaimOutcome = 'claimed' | 'taken';

/** The authorization server's surroundings; made once per cold start. */
export interface AuthServer {
  /** Where the Hub is, without a slash at the end: the issuer, byte for byte. */
  readonly hubUrl: string;
  readonly table: Table;
  readonly secrets: Secrets;
  readonly policy: SignInPolicy;
  readonly pool: SignInPool;
  readonly network: Network;
  /** Redirect URIs that the operator allows besides the known ones. */
  readonly redirects: readonly string[];
  /** Gives an account its handle, which is legal in form. */
  readonly claimHandle: (account: string, handle: string) => Promise<ClaimOutcome>;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: (line: object) => void;
}

/** A step of oidc-provider's Koa application, and the request it gets. */
export type Step = Parameters<Provider['use']>[0];
export type Context = Parameters<Step>[0];

const formLimitBytes = 8 * 1024;

/** The fields of a posted form; one that is too long has none. */
export async function readForm({ req }: Context): Promise<URLSearchParams> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of req) {
    bytes += chunk.length;
    if (bytes > formLimitBytes) return new URLSearchParams();
    chunks.push(chunk);
  }
  return new URLSearchParams(Buffer.concat(chunks).toString('utf8'));
}

/** Answers with a page. */
export function show(
  ctx: Context,
  body: string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): void {
  ctx.status = status;
  ctx.set(headers);
  ctx.body = body;
}

/** Sends the browser on, with GET whatever it came with. */
export function sendTo(ctx: Context, url: string): void {
  ctx.redirect(url);
  ctx.status = 303;
  ctx.set('cache-control', 'no-store');
}
