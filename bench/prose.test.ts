// The texts that budgets are measured with are what they claim to be.
import { expect, it } from 'vitest';
import { packBody } from '../functions/store/body-codec.ts';
import { utf8Bytes } from '../protocol/text.ts';
import { noise, prose } from './prose.ts';

it.each([1, 100, 850, 16_384])(
  '%d bytes are exactly that many, and the same every time',
  (bytes) => {
    for (const text of [prose, noise]) {
      expect(utf8Bytes(text(bytes))).toBe(bytes);
      expect(text(bytes)).toBe(text(bytes));
      expect(text(bytes).isWellFormed()).toBe(true);
    }
  },
);

it('another seed gives another text', () => {
  expect(prose(200, 1)).not.toBe(prose(200, 2));
  expect(noise(200, 1)).not.toBe(noise(200, 2));
});

it('prose compresses no better than English does, noise not at all', () => {
  const bytes = 64 * 1_024;
  const share = (body: string) => {
    const { packed } = packBody({ body });
    return (packed instanceof Uint8Array ? packed.length : bytes) / bytes;
  };
  // Manuals and licences of that length come to 0.30 to 0.36, terse notes to 0.41.
  expect(share(prose(bytes))).toBeGreaterThan(0.36);
  expect(share(prose(bytes))).toBeLessThan(0.42);
  expect(share(noise(bytes))).toBeGreaterThan(0.7);
});
