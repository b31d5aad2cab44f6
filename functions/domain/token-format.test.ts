import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formatToken, isTokenOf, tokenBytes } from './token-format.ts';

describe('the form of a token', () => {
  const token = formatToken('device', randomBytes(tokenBytes));

  it('is a prefix, 43 characters and a checksum of six, all safe in a header', () => {
    expect(token).toMatch(/^tandry_d_[\w-]{43}[\w-]{6}$/);
  });

  it('is known by its kind', () => {
    expect(isTokenOf('device', token)).toBe(true);
    expect(isTokenOf('connector', token)).toBe(false);
    expect(isTokenOf('connector', token.replace('_d_', '_c_'))).toBe(false);
  });

  it('does not survive a slip of the pen', () => {
    const at = 20;
    const slip = token[at] === 'A' ? 'B' : 'A';
    expect(isTokenOf('device', `${token.slice(0, at)}${slip}${token.slice(at + 1)}`)).toBe(false);
    expect(isTokenOf('device', token.slice(0, -1))).toBe(false);
    expect(isTokenOf('device', '')).toBe(false);
  });
});
