// Proof that a form was made by a page of ours in the same browser.
import { isSameSecret, type Secrets } from './secrets.ts';

/**
 * The token of a form. `secret` is something that only this browser has: its interaction, journey
 * or session. Another site can neither read it nor make a token of it.
 */
export function csrfToken(secrets: Secrets, form: string, secret: string): string {
  return Buffer.from(secrets.derive(`csrf ${form}`, secret)).toString('base64url');
}

export function isOwnForm(
  secrets: Secrets,
  form: string,
  secret: string,
  fields: URLSearchParams,
): boolean {
  return isSameSecret(fields.get('csrf') ?? '', csrfToken(secrets, form, secret));
}
