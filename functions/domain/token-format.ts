// How the Hub's own secrets look: a prefix that tells the kind, 32 random bytes, a checksum. So a
// scanner finds one that was published, and a mistyped one is refused without a look at the table.
import { crc32 } from 'node:zlib';

const prefixes = {
  device: 'tandry_d_',
  connector: 'tandry_c_',
  refresh: 'tandry_r_',
} as const;

export type SecretKind = keyof typeof prefixes;

/** Random bytes in a token: more than anybody can guess, so a plain SHA-256 of it is kept. */
export const tokenBytes = 32;

/** The text of a token over `tokenBytes` bytes that nobody can predict. */
export function formatToken(kind: SecretKind, secret: Uint8Array): string {
  const body = `${prefixes[kind]}${Buffer.from(secret).toString('base64url')}`;
  return `${body}${checksum(body)}`;
}

/** Whether a text can be a token of that kind at all; which says nothing about its being valid. */
export function isTokenOf(kind: SecretKind, text: string): boolean {
  if (!text.startsWith(prefixes[kind])) return false;
  const body = text.slice(0, -checksumCharacters);
  return text.slice(-checksumCharacters) === checksum(body);
}

const checksumCharacters = 6;

function checksum(body: string): string {
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(body));
  return sum.toString('base64url');
}
