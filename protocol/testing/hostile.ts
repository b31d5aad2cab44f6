// For tests: text as hostile as it gets, and what of it must never reach a line of ours.
import fc from 'fast-check';

const breakers = [
  ...['"', "'", '<', '>', '&', '\n', '\r', '\u2028', '\u0085', '\u001b[2J', '\u202e', '\u2066'],
  ...['\u200b', '\ufeff', '\u{e0041}', '\ud800', '\u3164', '</tandry-', '<tandry-', ' from="'],
];

/** Any code units, and often the characters that break things. */
export const hostile = fc
  .array(fc.oneof(fc.string({ unit: 'binary' }), fc.constantFrom(...breakers)))
  .map((parts) => parts.join(''));

/** Controls, bidi marks, line breaks, invisible characters, halves of surrogate pairs. */
export const unsafe = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;
