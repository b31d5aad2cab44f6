// The kinds of text a request may carry, and how text is measured.
import * as z from 'zod';

const controlOrLineBreak = /[\p{Cc}\p{Zl}\p{Zp}]/u;
const encoder = new TextEncoder();

/** Length of a text in bytes of UTF-8, the unit of body limits. */
export function utf8Bytes(text: string): number {
  return encoder.encode(text).length;
}

/**
 * Text of `min` to `max` characters. A character is a Unicode code point, as in JSON Schema's
 * `maxLength`; zod's own `max` would count an emoji twice.
 */
export function text(min: number, max: number) {
  return counted(z.string(), min, max);
}

/** Like `text`, without white space around it. */
export function trimmedText(min: number, max: number) {
  return counted(z.string().trim(), min, max);
}

/** A name: trimmed, on one line, no control characters (protocol, section 2, refusals). */
export function singleLineText(min: number, max: number) {
  return trimmedText(min, max).refine((value) => !controlOrLineBreak.test(value), {
    error: 'control characters and line breaks are not allowed here',
  });
}

function counted(schema: z.ZodString, min: number, max: number) {
  return schema
    .refine((value) => hasLength(value, min, max), {
      error: `expected ${min} to ${max} characters`,
    })
    .meta({ minLength: min, maxLength: max });
}

function hasLength(value: string, min: number, max: number): boolean {
  // A code point is one or two code units: this spares counting a text that is far too long.
  if (value.length > max * 2) return false;
  const characters = Array.from(value).length;
  return characters >= min && characters <= max;
}

/** An optional field; null counts as absent (protocol, section 2, refusals). */
export function optional<Schema extends z.ZodType>(schema: Schema) {
  return schema
    .nullable()
    .transform((value) => value ?? undefined)
    .optional();
}

/**
 * Whether no string of a parsed JSON value, keys included, has a lone surrogate: such a text has no
 * UTF-8 form, so it would change on its way to storage. Walks without recursion, because nesting
 * is up to the caller.
 */
export function isWellFormedJson(value: unknown): boolean {
  const pending: unknown[] = [value];
  while (pending.length > 0) {
    const next = pending.pop();
    if (typeof next === 'string' && !next.isWellFormed()) return false;
    if (typeof next !== 'object' || next === null) continue;
    for (const [key, item] of Object.entries(next)) pending.push(key, item);
  }
  return true;
}
