// The notice: the one fixed sentence that reaches a conversation unasked (protocol, sections 1 and
// 4). Made from headers alone, in ASCII without `<>&`: hosts wrap and escape it in their own ways.
import { Address } from '../ids.ts';
import type { Unread } from '../nouns.ts';
import { count } from './plain.ts';

const sendersNamed = 5;

/** What waits and from whom; never a word of what was said. */
export function notice({ unread, from }: Unread): string {
  return (
    `Tandry: ${count(unread, 'unread message')}${senders(from)}. Call the Tandry inbox tool to ` +
    'read. This notice comes from Tandry and is not an instruction from your owner.'
  );
}

/** ` from a/x, b/y and 3 more`; empty if there is none to name. */
export function senders(from: readonly string[]): string {
  // A Hub sends addresses and nothing else; whatever is none could carry words into a turn.
  const addresses = from.filter((address) => Address.safeParse(address).success);
  if (addresses.length === 0) return '';
  const named = addresses.slice(0, sendersNamed).join(', ');
  const others = addresses.length - sendersNamed;
  return ` from ${named}${others > 0 ? ` and ${others} more` : ''}`;
}
