import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleNowMs } from '../fixtures/samples.ts';
import { hostile, unsafe } from '../testing/hostile.ts';
import { ago, inline, quoted, utcTime } from './plain.ts';

describe('text on one line', () => {
  test('has no control, bidi or invisible character, and no line break', () => {
    fc.assert(
      fc.property(hostile, (text) => {
        expect(inline(text)).not.toMatch(unsafe);
        expect(quoted(text).slice(1, -1)).not.toMatch(/"/);
      }),
    );
  });

  test('keeps what can be read', () => {
    expect(inline('  Réfactor\n the\u202e דלת 🙂 ')).toBe('Réfactor the דלת 🙂');
    expect(quoted('say "hi"')).toBe(`"say 'hi'"`);
  });
});

describe('time', () => {
  test.each<[number, string]>([
    [-5_000, 'just now'],
    [59_999, 'just now'],
    [60_000, '1 minute ago'],
    [3_599_999, '59 minutes ago'],
    [7_200_000, '2 hours ago'],
    [86_400_000 * 3, '3 days ago'],
  ])('%d ms before now is %s', (spanMs, text) => {
    expect(ago(sampleNowMs - spanMs, sampleNowMs)).toBe(text);
  });

  test('points in time are in UTC', () => {
    expect(utcTime(0)).toBe('1970-01-01T00:00:00Z');
    expect(utcTime(sampleNowMs)).toBe('2026-11-30T14:11:00Z');
    expect(utcTime(8.64e15)).toBe('+275760-09-13T00:00:00Z');
  });
});
