// What the campaign and its member processes say to each other.
import type { CallContext } from '../../protocol/wire.ts';

/** First message to a member process: who it is, and how fast its time runs. */
export interface MemberOrders {
  readonly hub: string;
  readonly context: Required<CallContext>;
  /** Seconds of the protocol that pass in one second. */
  readonly speed: number;
}

/** What a member process reports. */
export type MemberReport =
  /** Its link opened or ended. */
  | { readonly t: 'link'; readonly isOpen: boolean }
  /** It was told of mail up to this seq. */
  | { readonly t: 'told'; readonly upTo: number }
  /** Its agent has these messages. */
  | { readonly t: 'handed'; readonly ids: readonly string[] };
