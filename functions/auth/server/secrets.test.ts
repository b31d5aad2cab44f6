// Seals, derived secrets, and how secrets are compared.
import { timingSafeEqual } from 'node:crypto';
import { describe, expect, it, vi } from 'vitest';
import { createSecrets, isSameSecret } from './secrets.ts';

// The real one, watched: what compares in constant time cannot be told from outside.
vi.mock('node:crypto', async (importOriginal) => {
  const crypto = await importOriginal<typeof import('node:crypto')>();
  return { ...crypto, timingSafeEqual: vi.fn(crypto.timingSafeEqual) };
});

const secrets = createSecrets('the secret of a deployment, long enough');
const others = createSecrets('the secret of another one, as long as it');

describe('a seal', () => {
  const sealed = secrets.seal('Record', 'id', 'content with ümlauts');

  it('is opened by who has the secret, the purpose and the ID', () => {
    expect(secrets.open('Record', 'id', sealed)).toBe('content with ümlauts');
  });

  it('is opened by nobody else', () => {
    expect(others.open('Record', 'id', sealed)).toBeUndefined();
    expect(secrets.open('Other', 'id', sealed)).toBeUndefined();
    expect(secrets.open('Record', 'other', sealed)).toBeUndefined();
  });

  it('is broken by any change', () => {
    for (const at of [0, 12, 28, sealed.length - 1]) {
      const changed = Uint8Array.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      expect(secrets.open('Record', 'id', changed)).toBeUndefined();
    }
    expect(secrets.open('Record', 'id', sealed.subarray(0, 20))).toBeUndefined();
    expect(secrets.open('Record', 'id', new Uint8Array())).toBeUndefined();
  });

  it('is another one each time', () => {
    expect(secrets.seal('Record', 'id', 'x')).not.toEqual(secrets.seal('Record', 'id', 'x'));
  });
});

describe('a derived secret', () => {
  it('follows from its input, its purpose and the deployment', () => {
    const derived = secrets.derive('token', 'input');
    expect(derived).toHaveLength(32);
    expect(secrets.derive('token', 'input')).toEqual(derived);
    expect(secrets.derive('token', 'other')).not.toEqual(derived);
    expect(secrets.derive('csrf', 'input')).not.toEqual(derived);
    expect(others.derive('token', 'input')).not.toEqual(derived);
  });
});

describe('a comparison', () => {
  it.each([
    ['same', 'same', true],
    ['same', 'sama', false],
    ['sam', 'same', false],
    ['', '', true],
    ['ü', 'u', false],
  ])('of %j with %j is %s', (given, expected, outcome) => {
    expect(isSameSecret(given, expected)).toBe(outcome);
  });

  it('takes as long for a wrong first letter as for a wrong last one', () => {
    vi.mocked(timingSafeEqual).mockClear();
    for (const given of ['xbcdef', 'abcdex', 'abcdef']) isSameSecret(given, 'abcdef');
    expect(timingSafeEqual).toHaveBeenCalledTimes(3);
  });
});
