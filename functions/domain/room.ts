// The nouns of a room as the rules see them: no keys, no AWS, no wire format.
import type { HostKind } from '../../protocol/nouns.ts';

/** Milliseconds since the epoch. */
export type TimeMs = number;
/** Seconds since the epoch: the unit of DynamoDB's TTL, and of every expiry in the log. */
export type TimeS = number;

/** The one thing every change of a room moves (design, section 3). */
export interface Clock {
  readonly tick: number;
  /** Last tick that changed who is here, under what name, or from which conversation. */
  readonly rosterTick: number;
  /** Present members that take a place; website members do not. */
  readonly memberCount: number;
  /** All present members, those of the website included. */
  readonly presentCount: number;
  /** Expiry of the newest log entry; never lower than that of any older one. */
  readonly lastExpiresAt: TimeS;
  readonly retentionDays: number;
  readonly deletedAt?: TimeMs | undefined;
}

/** One stay in a room. `no` is the tick at which it joined: its identity inside the room. */
export interface Member {
  readonly no: number;
  readonly account: string;
  readonly handle: string;
  readonly name: string;
  readonly host: HostKind;
  readonly conversation: string;
  readonly repo: string;
  readonly branch: string;
  readonly intro: string;
  readonly joinedAt: TimeMs;
  /** Tick at which it left; absent while present. */
  readonly leftTick?: number | undefined;
}

/** What moves often: position, bucket, activity. */
export interface Cursor {
  readonly no: number;
  readonly readSeq: number;
  /** Raised by every continuation, so that nothing of the former conversation succeeds any more. */
  readonly epoch: number;
  readonly lastActiveAt: TimeMs;
  readonly bucket: Bucket;
  readonly hasLeft: boolean;
}

/** Send allowance: `tokens` as they stood at `at`. */
export interface Bucket {
  readonly tokens: number;
  readonly at: TimeMs;
}

/** The WebSocket of the one process that holds a push conversation. */
export interface Link {
  readonly no: number;
  readonly connection: string;
  readonly connectedAt: TimeMs;
  readonly seenAt: TimeMs;
  readonly wakeable: boolean;
  readonly busy?: boolean | undefined;
  readonly epoch: number;
}

/** Messages are `text` and `intro`; the rest are events of the room that only tick its clock. */
export const logKinds = ['text', 'intro', 'leave', 'rename', 'continuation', 'deletion'] as const;
export type LogKind = (typeof logKinds)[number];

/** One tick of the room: headers only, the body stands apart. */
export interface LogEntry {
  readonly seq: number;
  readonly kind: LogKind;
  /** Message ID; absent on entries that are no message. */
  readonly id?: string | undefined;
  /** Number of the member that said it or did it. */
  readonly from: number;
  readonly to: readonly number[];
  readonly toRoom: boolean;
  readonly dm: boolean;
  readonly replyTo?: string | undefined;
  readonly fromHost?: HostKind | undefined;
  /** UTF-8 bytes of the body, so that a batch is cut before bodies are fetched. */
  readonly bytes: number;
  readonly createdAt: TimeMs;
  readonly expiresAt: TimeS;
  /** When the entry before this one may be gone: what tells expiry from a hole. */
  readonly prevExpiresAt: TimeS;
  readonly deletedAt?: TimeMs | undefined;
}

/** Body and meta of one message, as they stand in its own partition. */
export interface MessageBody {
  readonly id: string;
  readonly room: string;
  readonly seq: number;
  readonly from: number;
  readonly to: readonly number[];
  readonly toRoom: boolean;
  readonly dm: boolean;
  readonly hash: string;
  readonly body: string;
  readonly meta?: Readonly<Record<string, string>> | undefined;
  /** When the message is over; what guards its ID is kept longer. */
  readonly expiresAt: TimeS;
  readonly deletedAt?: TimeMs | undefined;
}

/**
 * True from the second an entry expires, whatever storage has done with it (protocol, retention).
 */
export function isExpired(expiresAt: TimeS, nowMs: TimeMs): boolean {
  return expiresAt * 1000 <= nowMs;
}
