// Everything that is made from the deployment's one secret: seals, CSRF tokens, successors of
// refresh tokens. Nothing of it has to be stored.
import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  timingSafeEqual,
} from 'node:crypto';

const cipher = 'aes-256-gcm';
const keyBytes = 32;
const nonceBytes = 12;
const tagBytes = 16;

export interface Secrets {
  /**
   * Encrypts a text so that only who knows `id` can have it read: the key is made from both it and
   * the deployment's secret. What stands in the table is of no use to who reads the table.
   */
  seal(purpose: string, id: string, text: string): Uint8Array;
  /** The text back; undefined if it was sealed for something else, or changed. */
  open(purpose: string, id: string, sealed: Uint8Array): string | undefined;
  /** Bytes that follow from the input and cannot be told from random ones without the secret. */
  derive(purpose: string, input: string): Uint8Array;
}

export function createSecrets(secret: string): Secrets {
  const keyFor = (purpose: string, id: string) =>
    new Uint8Array(hkdfSync('sha256', id, secret, `tandry seal ${purpose}`, keyBytes));
  return {
    seal(purpose, id, text) {
      const nonce = randomBytes(nonceBytes);
      const sealing = createCipheriv(cipher, keyFor(purpose, id), nonce);
      const body = Buffer.concat([sealing.update(text, 'utf8'), sealing.final()]);
      return Buffer.concat([nonce, sealing.getAuthTag(), body]);
    },
    open(purpose, id, sealed) {
      const nonce = sealed.subarray(0, nonceBytes);
      const tag = sealed.subarray(nonceBytes, nonceBytes + tagBytes);
      if (tag.length !== tagBytes) return undefined;
      const opening = createDecipheriv(cipher, keyFor(purpose, id), nonce);
      opening.setAuthTag(tag);
      try {
        const body = opening.update(sealed.subarray(nonceBytes + tagBytes));
        return Buffer.concat([body, opening.final()]).toString('utf8');
      } catch {
        return undefined;
      }
    },
    derive: (purpose, input) =>
      createHmac('sha256', secret).update(`tandry ${purpose}\0${input}`).digest(),
  };
}

/** Compares two texts in a time that does not depend on where they differ. */
export function isSameSecret(given: string, expected: string): boolean {
  const a = Buffer.from(given);
  const b = Buffer.from(expected);
  return a.length === b.length && timingSafeEqual(a, b);
}
