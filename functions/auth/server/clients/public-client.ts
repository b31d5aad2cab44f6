// What of a client's description counts here, whether it registered or publishes a document: every
// client is public, and what binds a code to it is PKCE and its redirect URI.
import * as z from 'zod';
import { singleLineText } from '../../../../protocol/text.ts';

const nameCharacters = 100;
const redirectsMax = 10;
const redirectCharacters = 500;

export const grantTypes = [
  'authorization_code',
  'refresh_token',
  'urn:ietf:params:oauth:grant-type:device_code',
] as const;

/** What a client may say of itself; everything else it says is passed over. */
export const ClientDescription = z.object({
  client_name: singleLineText(1, nameCharacters).optional().catch(undefined),
  redirect_uris: z.array(z.string().max(redirectCharacters)).max(redirectsMax).default([]),
  grant_types: z.array(z.string()).default(['authorization_code', 'refresh_token']),
  token_endpoint_auth_method: z.string().default('none'),
  token_endpoint_auth_methods_supported: z.array(z.string()).default([]),
});
export type ClientDescription = z.output<typeof ClientDescription>;

/** Whether the client can do without a secret or a key, even if it would rather not. */
export function canBePublic(client: ClientDescription): boolean {
  const { token_endpoint_auth_method: preferred, token_endpoint_auth_methods_supported } = client;
  return preferred === 'none' || token_endpoint_auth_methods_supported.includes('none');
}

/** Metadata for oidc-provider of a client with these redirect URIs, which were checked. */
export function publicClient(client: ClientDescription, redirectUris: readonly string[]) {
  const { client_name } = client;
  return {
    ...(client_name !== undefined && { client_name }),
    redirect_uris: redirectUris,
    grant_types: grantTypes.filter((type) => client.grant_types.includes(type)),
    response_types: redirectUris.length > 0 ? ['code'] : [],
    token_endpoint_auth_method: 'none',
    // Only of a native client any port of this machine is taken (RFC 8252, section 7.3).
    application_type: redirectUris.every((uri) => uri.startsWith('https:')) ? 'web' : 'native',
  };
}

/** A JSON text of that shape; what is no JSON does not parse. */
export function jsonOf<Schema extends z.ZodType>(schema: Schema) {
  const json = z.string().transform((text, { addIssue }): unknown => {
    try {
      return JSON.parse(text);
    } catch {
      addIssue('no JSON');
      return z.NEVER;
    }
  });
  return json.pipe(z.unknown()).pipe(schema);
}
