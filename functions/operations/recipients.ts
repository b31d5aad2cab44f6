// To whom a message goes: named members, the room, or whoever a reply goes back to.
import { HubError } from '../../protocol/errors.ts';
import type { OperationInput } from '../../protocol/operations/index.ts';
import { wholeRoom } from '../../protocol/operations/message.ts';
import { tookPart } from '../domain/recipients.ts';
import { type Clock, isExpired, type MessageBody } from '../domain/room.ts';
import { getCursors, getNumbersOfAddresses } from '../store/members.ts';
import { getMessage } from '../store/messages.ts';
import type { MemberCall } from './hub.ts';
import { memberViews } from './roster.ts';

type Addressed = Pick<OperationInput<'send'>, 'to' | 'dm' | 'replyTo'>;

/** Recipients as they are stored, and how many the bucket pays for. */
export interface Recipients {
  readonly to: readonly number[];
  readonly toRoom: boolean;
  readonly dm: boolean;
  readonly count: number;
  /** The message answered. */
  readonly original?: MessageBody | undefined;
}

/**
 * Resolves `to` at this clock. Throws `no_such_member` naming all unknown addresses,
 * `no_such_message` for a reply to what the sender may not read, `invalid_input` for a dm to
 * nobody.
 */
export async function chooseRecipients(
  call: MemberCall,
  input: Addressed,
  clock: Clock,
): Promise<Recipients> {
  const explicit = input.to === wholeRoom ? [] : await named(call, input.to, clock);
  const original = input.replyTo === undefined ? undefined : await answerable(call, input.replyTo);
  const dm = original === undefined ? input.dm === true : original.dm;
  if (input.to === wholeRoom) return toWholeRoom(clock, dm, original);
  const chosen = input.to.length > 0 ? explicit : await defaultRecipients(call, original);
  if (dm && chosen.length === 0) {
    throw new HubError('invalid_input', 'a private message needs a member who is in the room');
  }
  // A set has no order of its own: a repeat must name them as the first answer did.
  const to = chosen.toSorted((a, b) => a - b);
  return { to, toRoom: false, dm, count: to.length, original };
}

/** Who they are follows from the tick: a broadcast reads no list, whatever the size of the room. */
function toWholeRoom(clock: Clock, dm: boolean, original: MessageBody | undefined): Recipients {
  if (dm) {
    throw new HubError('invalid_input', `a private message names its members, not ${wholeRoom}`);
  }
  return { to: [], toRoom: true, dm: false, count: clock.presentCount - 1, original };
}

/** The message a reply answers; a dm only if the sender took part in it. */
async function answerable({ hub, seat }: MemberCall, id: string): Promise<MessageBody> {
  const message = await getMessage(hub.table, id);
  const isHere = message?.room === seat.room && !isExpired(message.expiresAt, hub.table.nowMs());
  if (isHere && (!message.dm || tookPart(message, seat.no))) return message;
  throw new HubError('no_such_message', 'the message to reply to does not exist for this member');
}

async function named(
  call: MemberCall,
  addresses: readonly string[],
  clock: Clock,
): Promise<number[]> {
  const { hub, seat } = call;
  const wanted = [...new Set(addresses)];
  const numbers = await getNumbersOfAddresses(hub.table, seat.room, wanted);
  const unknown = wanted.filter((address) => !numbers.has(address));
  if (unknown.length > 0) {
    throw new HubError('no_such_member', `not in this room: ${unknown.join(', ')}`, {
      members: await memberViews(hub, clock, seat),
    });
  }
  return wanted.flatMap((address) => {
    const no = numbers.get(address);
    return no === undefined || no === seat.no ? [] : [no];
  });
}

/**
 * Back to the sender of a room message, to all other participants of a dm; only who is still here.
 */
async function defaultRecipients(
  { hub, seat }: MemberCall,
  original: MessageBody | undefined,
): Promise<number[]> {
  if (original === undefined) return [];
  const candidates = original.dm ? [original.from, ...original.to] : [original.from];
  const others = [...new Set(candidates)].filter((no) => no !== seat.no);
  const cursors = await getCursors(hub.table, seat.room, others);
  const present = new Set(cursors.filter(({ hasLeft }) => !hasLeft).map(({ no }) => no));
  return others.filter((no) => present.has(no));
}
