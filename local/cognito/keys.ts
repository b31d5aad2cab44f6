// The stand-in's own secrets: the key that signs tokens and the one that signs cookies.
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import type { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';

const PublicJwk = z.object({
  kty: z.literal('RSA'),
  kid: z.string(),
  alg: z.literal('RS256'),
  use: z.literal('sig'),
  n: z.string(),
  e: z.string(),
});
const member = z.string();
const PrivateJwk = PublicJwk.extend({
  d: member,
  p: member,
  q: member,
  dp: member,
  dq: member,
  qi: member,
});

export interface Keys {
  privateJwk: z.infer<typeof PrivateJwk>;
  publicJwk: z.infer<typeof PublicJwk>;
  cookieKey: string;
}

function newSigningKey(): string {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const kid = randomBytes(32).toString('base64');
  return JSON.stringify({ ...privateKey.export({ format: 'jwk' }), kid, alg: 'RS256', use: 'sig' });
}

/** Reads the keys; makes each on first use, so that tokens stay valid across restarts. */
export function openKeys(db: DatabaseSync): Keys {
  const select = db.prepare('SELECT value FROM secrets WHERE name = ?');
  const insert = db.prepare('INSERT OR IGNORE INTO secrets (name, value) VALUES (?, ?)');
  const secret = (name: string, make: () => string): string => {
    if (select.get(name) === undefined) insert.run(name, make());
    return z.object({ value: z.string() }).parse(select.get(name)).value;
  };
  const signingKey: unknown = JSON.parse(secret('signing-key', newSigningKey));
  return {
    privateJwk: PrivateJwk.parse(signingKey),
    publicJwk: PublicJwk.parse(signingKey),
    cookieKey: secret('cookie-key', () => randomBytes(32).toString('base64url')),
  };
}
