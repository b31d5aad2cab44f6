// Words and characters that are safe on one line: what others chose (names, workspaces, error
// texts) can neither break out of its place nor play tricks on a terminal.

const whiteSpace = /[\s\p{Zl}\p{Zp}]+/gu;
/** Controls, bidi marks, zero-width and other invisible characters, halves of surrogate pairs. */
const invisible = /[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** The visible characters of a text on one line. */
export function inline(text: string): string {
  return text.replace(whiteSpace, ' ').replace(invisible, '').trim();
}

/** Like `inline`, in double quotes that the text itself cannot close. */
export function quoted(text: string): string {
  return `"${inline(text).replaceAll('"', "'")}"`;
}

/** `1 message`, `2 messages`. */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`;
}

const spans = [
  [86_400_000, 'day'],
  [3_600_000, 'hour'],
  [60_000, 'minute'],
] as const;

/** How long ago something was: `3 hours ago`; `just now` for less than a minute. */
export function ago(timeMs: number, nowMs: number): string {
  for (const [spanMs, noun] of spans) {
    const amount = Math.floor((nowMs - timeMs) / spanMs);
    if (amount >= 1) return `${count(amount, noun)} ago`;
  }
  return 'just now';
}

/** A point in time in UTC, to the second: `2026-11-30T14:11:00Z`. */
export function utcTime(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/\.\d+Z$/, 'Z');
}
