// A room as it must be: what the log says, told with the rules of the protocol alone.
import type { HostKind, RecipientState } from '../../../protocol/nouns.ts';

/** One stay; `no` is the tick of its join. */
export interface Stay {
  readonly no: number;
  readonly account: string;
  conversation: string;
  host: HostKind;
  name: string;
  intro: string;
  leftAt: number | undefined;
  position: number;
}

/** One message as it was said; `to` names everybody who receives it. */
export interface Message {
  readonly id: string;
  readonly seq: number;
  readonly kind: 'text' | 'intro';
  readonly from: number;
  readonly fromHost: HostKind;
  readonly to: readonly number[];
  readonly toRoom: boolean;
  readonly dm: boolean;
  readonly body: string;
  readonly replyTo: string | undefined;
  isDeleted: boolean;
}

export interface Reference {
  tick: number;
  readonly stays: Map<number, Stay>;
  /** In the order of the log. */
  readonly messages: Message[];
}

export const emptyReference = (): Reference => ({ tick: 0, stays: new Map(), messages: [] });

/** Everywhere in the model an account's handle is its ID. */
export const addressOf = ({ account, name }: Stay) => `${account}/${name}`;

export function presentIn({ stays }: Reference): Stay[] {
  return [...stays.values()].filter(({ leftAt }) => leftAt === undefined);
}

/** The present stay that a conversation backs. */
export function stayOf(room: Reference, conversation: string): Stay | undefined {
  return presentIn(room).find((stay) => stay.conversation === conversation);
}

export function staysOfAccount({ stays }: Reference, account: string): Stay[] {
  return [...stays.values()].filter((stay) => stay.account === account);
}

/** Unread mail, oldest first. */
export function unreadOf({ messages }: Reference, { no, position }: Stay): Message[] {
  return messages.filter(
    ({ kind, to, seq, isDeleted }) =>
      kind === 'text' && !isDeleted && seq > position && to.includes(no),
  );
}

const took = ({ from, to }: Message, eyes: ReadonlySet<number>) =>
  eyes.has(from) || to.some((no) => eyes.has(no));

/** What these stays may read, oldest first. */
export function visibleTo({ messages }: Reference, eyes: ReadonlySet<number>): Message[] {
  return messages.filter((message) => !message.dm || took(message, eyes));
}

/** What these stays said or received. */
export function correspondenceOf({ messages }: Reference, eyes: ReadonlySet<number>): Message[] {
  return messages.filter((message) => took(message, eyes));
}

/** How many messages of `senders` this stay has not read. */
export function unreadFrom(room: Reference, stay: Stay, senders: ReadonlySet<number>): number {
  return unreadOf(room, stay).filter(({ from }) => senders.has(from)).length;
}

/** What became of a message at one of its recipients. */
export function stateOf(room: Reference, message: Message, stay: Stay): RecipientState {
  const isAnswered = room.messages.some(
    ({ replyTo, from }) => replyTo === message.id && from === stay.no,
  );
  if (isAnswered) return 'replied';
  if (stay.position >= message.seq) return 'read';
  return stay.leftAt === undefined ? 'unread' : 'left';
}
