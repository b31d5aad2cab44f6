import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  isWellFormedJson,
  optional,
  singleLineText,
  text,
  trimmedText,
  utf8Bytes,
} from './text.ts';

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

describe('lengths', () => {
  test('count characters, not halves of an emoji', () => {
    expect(accepts(text(1, 3), '🙂🙂🙂')).toBe(true);
    expect(accepts(text(1, 3), '🙂🙂🙂🙂')).toBe(false);
    expect(accepts(text(2, 3), '🙂')).toBe(false);
  });

  test('are those after trimming, where white space around is not kept', () => {
    expect(trimmedText(1, 3).parse('  abc\n')).toBe('abc');
    expect(accepts(trimmedText(1, 3), ' \n ')).toBe(false);
    expect(text(1, 3).parse(' a ')).toBe(' a ');
  });

  test('of bodies are bytes', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), (value) => {
        expect(utf8Bytes(value)).toBe(Buffer.byteLength(value));
      }),
    );
  });
});

describe('a name', () => {
  test.each(['a\u0000b', 'a\nb', 'a\tb', 'a\u001b[31mb', 'a\u007fb', 'a\u0085b', 'a\u2028b'])(
    'has no control characters: %j',
    (value) => {
      expect(accepts(singleLineText(1, 80), value)).toBe(false);
    },
  );

  test.each(['Hub', 'דלת', '部屋 🙂', '👩‍💻 at work'])('may be of any language: %s', (value) => {
    expect(singleLineText(1, 80).parse(value)).toBe(value);
  });
});

test('null in an optional field counts as absent', () => {
  expect(optional(text(0, 3)).parse(null)).toBeUndefined();
  expect(optional(text(0, 3)).parse(undefined)).toBeUndefined();
  expect(optional(text(0, 3)).parse('')).toBe('');
  expect(accepts(optional(text(0, 3)), 7)).toBe(false);
});

describe('well-formed JSON', () => {
  test('any JSON value without lone surrogates', () => {
    fc.assert(
      fc.property(fc.jsonValue({ noUnicodeString: false, stringUnit: 'grapheme' }), (value) => {
        expect(isWellFormedJson(value)).toBe(true);
      }),
    );
  });

  test.each([
    ['a text', '\ud800'],
    ['an item', [['\udc00']]],
    ['a value', { a: { b: 'x\ud800x' } }],
    ['a key', { a: { '\ud83d': 1 } }],
    ['the key __proto__', JSON.parse('{"__proto__": "\\ud800"}')],
  ])('not with one in %s', (_place, value) => {
    expect(isWellFormedJson(value)).toBe(false);
  });

  test('as deep as a request can nest', () => {
    const depth = 130_000;
    const deep = (inner: string) => JSON.parse(`${'['.repeat(depth)}${inner}${']'.repeat(depth)}`);
    expect(isWellFormedJson(deep('"a"'))).toBe(true);
    expect(isWellFormedJson(deep('"\\ud800"'))).toBe(false);
  });
});
