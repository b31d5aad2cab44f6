// What makes a repeated send the same message: a hash of what was asked for.
import { createHash } from 'node:crypto';

/** SHA-256, hex, over what a sender asked for; order of meta keys does not matter. */
export function contentHash(input: {
  readonly to: unknown;
  readonly body: string;
  readonly dm: boolean;
  readonly replyTo: string | undefined;
  readonly meta: Readonly<Record<string, string>> | undefined;
}): string {
  const meta = Object.entries(input.meta ?? {}).sort(([a], [b]) => (a < b ? -1 : 1));
  const canonical = JSON.stringify([input.to, input.body, input.dm, input.replyTo ?? null, meta]);
  return createHash('sha256').update(canonical).digest('hex');
}
