import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { formatUserCode, makeUserCode, parseUserCode } from './user-code.ts';

describe('user codes', () => {
  it('are eight letters of twenty, and read back in any form a person types', () => {
    const code = makeUserCode(randomBytes);
    expect(code).toMatch(/^[BCDFGHJKLMNPQRSTVWXZ]{8}$/);
    expect(parseUserCode(formatUserCode(code))).toBe(code);
    expect(parseUserCode(` ${code.toLowerCase().slice(0, 3)} ${code.slice(3)}. `)).toBe(code);
  });

  it('favour no letter', () => {
    const bytes = [255, 250, 240, 239, 0, 20, 40, 60, 80, 100, 120, 140];
    const give = (count: number) => Uint8Array.from(bytes.splice(0, count));
    expect(makeUserCode(give)).toBe(`Z${'B'.repeat(7)}`);
  });

  it.each(['', 'BCDF', 'BCDFGHJKL', 'ABCDFGHJ', 'BCDF-GHJ1'])('are not %j', (typed) => {
    expect(parseUserCode(typed)).toBeUndefined();
  });
});
