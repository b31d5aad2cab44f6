// Cognito access tokens of the website's client: signature, issuer, use and client are checked.
import { JwtVerifier } from 'aws-jwt-verify';
import { validateCognitoJwtFields } from 'aws-jwt-verify/cognito-verifier';
import { JwtBaseError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';
import type { Authenticate } from './principal.ts';

const jwksTimeoutMs = 3_000;

/**
 * Verifies against any issuer: `CognitoJwtVerifier` knows AWS's alone, and the local stack has its
 * own. Throws only when the keys cannot be fetched, which is no fault of the token.
 */
export function websiteTokens(pool: {
  readonly issuer: string;
  readonly jwksUri: string;
  readonly clientId: string;
}): Authenticate {
  const verifier = JwtVerifier.create(
    {
      issuer: pool.issuer,
      audience: null,
      jwksUri: pool.jwksUri,
      customJwtCheck: ({ payload }) =>
        validateCognitoJwtFields(payload, { tokenUse: 'access', clientId: pool.clientId }),
    },
    { jwksCache: new SimpleJwksCache({ fetcher: { fetch: fetchKeys } }) },
  );
  return async (bearer) => {
    try {
      const { sub } = await verifier.verify(bearer);
      return typeof sub === 'string'
        ? { account: sub, kind: 'website', device: 'website' }
        : undefined;
    } catch (error) {
      if (error instanceof JwtBaseError) return undefined;
      throw error;
    }
  };
}

async function fetchKeys(uri: string): Promise<ArrayBuffer> {
  const response = await fetch(uri, { signal: AbortSignal.timeout(jwksTimeoutMs) });
  if (!response.ok) throw new Error(`JWKS answered ${response.status}`);
  return response.arrayBuffer();
}
