// The form of the tokens that clients get, and that a refresh repeated gives the same pair again:
// a client with two processes refreshes twice, and an answer may get lost on its way.
import { randomBytes } from 'node:crypto';
import { Provider } from 'oidc-provider';
import { formatToken, type SecretKind, tokenBytes } from '../../domain/token-format.ts';
import type { Secrets } from './secrets.ts';

/**
 * Makes the provider mint tokens of ours. Both tokens of a refresh follow from the refresh token
 * that was given, which is not stored: so they are the same at every repeat, without being kept for
 * it.
 */
export function mintOwnTokens(provider: Provider, secrets: Secrets): void {
  for (const [kind, { prototype }] of [
    ['connector', provider.AccessToken],
    ['refresh', provider.RefreshToken],
  ] as const) {
    const original: () => string = Reflect.get(prototype, 'generateTokenId');
    const generateTokenId = function generateTokenId(this: object): string {
      // The library's own also notes the token's format.
      original.call(this);
      return mint(kind, secrets);
    };
    Object.assign(prototype, { generateTokenId });
  }
}

function mint(kind: SecretKind, secrets: Secrets): string {
  const params = Provider.ctx?.oidc.params;
  const predecessor = params?.['refresh_token'];
  return params?.['grant_type'] === 'refresh_token' && typeof predecessor === 'string'
    ? formatToken(kind, secrets.derive(`${kind} token`, predecessor))
    : formatToken(kind, randomBytes(tokenBytes));
}
