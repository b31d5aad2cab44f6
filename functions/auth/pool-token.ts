// Tokens that the user pool signed: signature, issuer, use and client are checked.
import { JwtVerifier } from 'aws-jwt-verify';
import { validateCognitoJwtFields } from 'aws-jwt-verify/cognito-verifier';
import { JwtBaseError } from 'aws-jwt-verify/error';
import { SimpleJwksCache } from 'aws-jwt-verify/jwk';

const jwksTimeoutMs = 3_000;

/** A user pool, and one client of it. */
export interface Pool {
  readonly issuer: string;
  readonly jwksUri: string;
  readonly clientId: string;
}

/**
 * Gives the claims of a token, undefined for one that is not the pool's for that use. Works with
 * any issuer: `CognitoJwtVerifier` knows AWS's alone, and the local stack has its own. Throws only
 * when the keys cannot be fetched.
 */
export function poolVerifier(
  pool: Pool,
  tokenUse: 'access' | 'id',
): (token: string) => Promise<unknown> {
  const verifier = JwtVerifier.create(
    {
      issuer: pool.issuer,
      // Cognito's access tokens have no audience; the client is checked below for both uses.
      audience: null,
      jwksUri: pool.jwksUri,
      customJwtCheck: ({ payload }) =>
        validateCognitoJwtFields(payload, { tokenUse, clientId: pool.clientId }),
    },
    { jwksCache: new SimpleJwksCache({ fetcher: { fetch: fetchKeys } }) },
  );
  return async (token) => {
    try {
      return await verifier.verify(token);
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
