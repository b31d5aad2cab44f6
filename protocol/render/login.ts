// What the login tool says at each step of signing in and out.
import type { OperationResult } from '../operations/index.ts';
import { count, inline } from './plain.ts';

/** Where a sign-in stands: just started, as the Hub reports it, or ended. */
export type LoginStep =
  | ({ state: 'started' } & Pick<
      OperationResult<'login_start'>,
      'url' | 'userCode' | 'expiresInSeconds'
    >)
  | Exclude<OperationResult<'login_status'>, { state: 'approved' }>
  | { state: 'approved'; account: { handle: string | null } }
  | { state: 'logged_out' };

/** The text of a login result; it never holds a token. */
export function renderLogin(step: LoginStep): string {
  if (step.state === 'started') {
    const minutes = count(Math.ceil(step.expiresInSeconds / 60), 'minute');
    return (
      `Show both to your owner and wait for them to approve:\nURL: ${inline(step.url)}\n` +
      `Code: ${inline(step.userCode)}\nThe code is valid for ${minutes}. ` +
      'When they have approved, call login again with action "start" to finish.'
    );
  }
  if (step.state === 'approved') return signedIn(step.account);
  return sentenceOf[step.state];
}

/** Who is signed in, and what is missing if the account has no handle. */
export function signedIn({ handle }: { handle: string | null }): string {
  return handle === null
    ? 'Signed in. The account has no handle yet: your owner picks one on the Tandry website.'
    : `Signed in as ${inline(handle)}.`;
}

const sentenceOf = {
  pending: 'Not approved yet. Wait for your owner; the URL and the code are still valid.',
  expired: 'The code has expired before it was approved. Call login again for a new one.',
  denied: 'Your owner declined the sign-in. Do not try again unless they ask for it.',
  logged_out: 'Signed out. This device has no access any more.',
} as const;
