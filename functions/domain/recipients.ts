// Who a message reaches, and what became of it: derived from ticks, positions and replies alone.
import type { RecipientState } from '../../protocol/nouns.ts';
import type { LogEntry, Member, MessageBody } from './room.ts';

type Addressing = Pick<LogEntry, 'seq' | 'from' | 'to' | 'toRoom'>;

/** Present when tick `seq` happened: joined before it and not left before it. */
export function wasPresent(member: Pick<Member, 'no' | 'leftTick'>, seq: number): boolean {
  return member.no < seq && (member.leftTick === undefined || seq < member.leftTick);
}

/**
 * True if `no` receives the message. A present member asks this of what it walks, so its own stay
 * needs no check beyond "joined before".
 */
export function isAddressedTo(message: Addressing, no: number): boolean {
  if (message.toRoom) return message.from !== no && no < message.seq;
  return message.to.includes(no);
}

/** Numbers of everyone a message was addressed to, in order of joining for `@room`. */
export function recipientsOf(
  message: Addressing,
  everyone: readonly Pick<Member, 'no' | 'leftTick'>[],
): readonly number[] {
  if (!message.toRoom) return message.to;
  return everyone
    .filter((member) => member.no !== message.from && wasPresent(member, message.seq))
    .map((member) => member.no);
}

/** Took part in a dm: said it or received it. */
export function tookPart(message: Pick<MessageBody, 'from' | 'to'>, no: number): boolean {
  return message.from === no || message.to.includes(no);
}

/**
 * State of one recipient by precedence replied, read, left, unread (protocol, section 2, views).
 */
export function recipientState(recipient: {
  readonly seq: number;
  readonly hasReplied: boolean;
  readonly readSeq: number;
  readonly hasLeft: boolean;
}): RecipientState {
  if (recipient.hasReplied) return 'replied';
  if (recipient.readSeq >= recipient.seq) return 'read';
  return recipient.hasLeft ? 'left' : 'unread';
}
