// Dynamic client registration (RFC 7591): what is let through to oidc-provider, and what is not.
import { ClientDescription, jsonOf, publicClient } from './public-client.ts';
import type { RedirectRules } from './redirects.ts';

const bodyLimitBytes = 4 * 1024;
const redirectsMax = 5;

/** An error of RFC 7591, section 3.2.2. */
export interface Refused {
  readonly status: number;
  readonly error: string;
  readonly error_description: string;
}

/**
 * The request with only what counts here, as JSON, or why not. A client's name is what it says of
 * itself; it is never shown without where its codes go.
 */
export function readRegistration(
  rules: RedirectRules,
  body: string,
): { readonly registration: string } | Refused {
  if (Buffer.byteLength(body) > bodyLimitBytes) {
    return refused('invalid_client_metadata', 'the request is too large', 413);
  }
  const parsed = Registration.safeParse(body);
  if (!parsed.success) {
    return refused('invalid_client_metadata', 'the request is no valid client metadata');
  }
  const { redirect_uris: uris, grant_types } = parsed.data;
  if (!uris.every(rules.isAllowed)) {
    return refused('invalid_redirect_uri', 'redirect URIs: loopback, or on this server’s list');
  }
  if (uris.length === 0 && grant_types.includes('authorization_code')) {
    return refused('invalid_redirect_uri', 'at least one redirect URI is needed');
  }
  return { registration: JSON.stringify(publicClient(parsed.data, uris)) };
}

const Registration = jsonOf(
  ClientDescription.refine(({ redirect_uris: uris }) => uris.length <= redirectsMax),
);

function refused(error: string, error_description: string, status = 400): Refused {
  return { status, error, error_description };
}
