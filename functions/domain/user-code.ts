// User codes: what a person types to sign a machine in (RFC 8628, section 6.1).

/** No vowels, so that no word appears; no letters that look alike when read out. */
const alphabet = 'BCDFGHJKLMNPQRSTVWXZ';
const length = 8;
/**
 * The largest multiple of the alphabet's size in a byte: above it, early letters would be likelier.
 */
const fairBelow = 256 - (256 % alphabet.length);

/** Makes a code in its canonical form; asks for random bytes until it has enough fair ones. */
export function makeUserCode(randomBytes: (count: number) => Uint8Array): string {
  let code = '';
  while (code.length < length) {
    const fair = [...randomBytes(length)].filter((byte) => byte < fairBelow);
    code += fair.map((byte) => alphabet.charAt(byte % alphabet.length)).join('');
  }
  return code.slice(0, length);
}

/** The canonical form of what was typed; undefined if it cannot be a code. */
export function parseUserCode(typed: string): string | undefined {
  const code = typed.toUpperCase().replace(/[^A-Z0-9]/g, '');
  const isCode = code.length === length && [...code].every((letter) => alphabet.includes(letter));
  return isCode ? code : undefined;
}

/** As it is shown: `XXXX-XXXX`. */
export function formatUserCode(code: string): string {
  return `${code.slice(0, length / 2)}-${code.slice(length / 2)}`;
}
