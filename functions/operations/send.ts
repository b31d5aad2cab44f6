// send: one message, its recipients fixed at the tick that says it (protocol, section 2, send).
import { HubError } from '../../protocol/errors.ts';
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import { utf8Bytes } from '../../protocol/text.ts';
import { charge } from '../domain/bucket.ts';
import type { Bucket, Clock, MessageBody } from '../domain/room.ts';
import { changeRoom, type Proposal, type Tick } from '../store/change-room.ts';
import { contentHash } from '../store/content-hash.ts';
import type { Refusal } from '../store/failures.ts';
import { parseBody } from '../store/items.ts';
import { getMessage, putMessageOnce, putReply } from '../store/messages.ts';
import { chargeBucket } from '../store/positions.ts';
import type { MemberCall } from './hub.ts';
import { chooseRecipients, type Recipients } from './recipients.ts';
import { recipientViews } from './roster.ts';
import { currentCursor } from './stay.ts';

type Input = OperationInput<'send'>;

/** What the answer is made from, for a first send and for its repeats alike. */
type Sent = Pick<MessageBody, 'seq' | 'from' | 'to' | 'toRoom'>;

export async function send(call: MemberCall, input: Input): Promise<OperationResult<'send'>> {
  const hash = contentHash({
    to: input.to,
    body: input.body,
    dm: input.dm === true,
    replyTo: input.replyTo,
    meta: input.meta,
  });
  const sent = await changeRoom(
    call.hub.table,
    call.seat.room,
    call.deadline,
    call.clock,
    (clock) => unlessRepeated(call, input, hash, () => propose(call, input, hash, clock)),
  );
  return answer(call, input.id, sent);
}

/**
 * Runs the rules; where they refuse, a known ID comes first: a repeat gets the first answer even if
 * its recipient has left since. On the way that succeeds the guard costs no read.
 */
async function unlessRepeated(
  call: MemberCall,
  input: Input,
  hash: string,
  rules: () => Promise<Proposal<Sent>>,
): Promise<Proposal<Sent> | { readonly outcome: Sent }> {
  try {
    return await rules();
  } catch (error) {
    if (!(error instanceof HubError) || error.code === 'not_in_room') throw error;
    const known = await getMessage(call.hub.table, input.id);
    if (known === undefined) throw error;
    return { outcome: sameMessage(call, hash, known) };
  }
}

/** The first message of this ID, if it is the same one; another's or another content is refused. */
function sameMessage({ seat }: MemberCall, hash: string, known: MessageBody): Sent {
  if (known.room === seat.room && known.from === seat.no && known.hash === hash) return known;
  throw new HubError('invalid_input', 'another message has this ID; send with a new one');
}

async function propose(
  call: MemberCall,
  input: Input,
  hash: string,
  clock: Clock,
): Promise<Proposal<Sent>> {
  const { hub, seat } = call;
  const bytes = utf8Bytes(input.body);
  if (bytes > hub.policy.bodyBytes) {
    throw new HubError('limit_reached', `a body has at most ${hub.policy.bodyBytes} bytes`);
  }
  const [cursor, recipients] = await Promise.all([
    currentCursor(call),
    chooseRecipients(call, input, clock),
  ]);
  const nowMs = hub.table.nowMs();
  const charged = charge(cursor.bucket, recipients.count, hub.policy.bucket, nowMs);
  if (!('bucket' in charged)) {
    const { retryAfterSeconds } = charged;
    throw new HubError(
      'rate_limited',
      `sent too much; in ${retryAfterSeconds} s there is room again`,
      {
        retryAfterSeconds,
      },
    );
  }
  return {
    entry: {
      kind: 'text',
      id: input.id,
      from: seat.no,
      fromHost: seat.caller.host,
      bytes,
      ...addressing(recipients),
      ...(input.replyTo !== undefined && { replyTo: input.replyTo }),
    },
    writes: (tick) => writes(call, input, hash, recipients, cursor.bucket, charged.bucket, tick),
    result: ({ seq }) => ({ seq, from: seat.no, to: recipients.to, toRoom: recipients.toRoom }),
    settle: (refused) => settle(call, hash, refused),
  };
}

/** Flags that are false stay out of the item: a header is narrow. */
function addressing({ to, toRoom, dm }: Recipients) {
  return { to, ...(toRoom && { toRoom }), ...(dm && { dm }) };
}

function writes(
  { hub, seat }: MemberCall,
  input: Input,
  hash: string,
  recipients: Recipients,
  before: Bucket,
  after: Bucket,
  tick: Tick,
) {
  const { to, toRoom, dm, original } = recipients;
  const message = {
    id: input.id,
    room: seat.room,
    from: seat.no,
    to,
    toRoom,
    dm,
    hash,
    body: input.body,
    meta: input.meta,
  };
  return [
    putMessageOnce(message, tick),
    chargeBucket(seat, before, after, hub.table.nowMs()),
    // The mark lives as long as this reply: the message it answers expires before that.
    ...(original === undefined ? [] : [putReply(seat.room, original.seq, seat.no, tick.expiresAt)]),
  ];
}

/** A guard that was there answers a repeat; a bucket or an epoch that moved is read again. */
function settle(
  call: MemberCall,
  hash: string,
  refused: ReadonlyMap<string, Refusal>,
): { readonly outcome: Sent } | undefined {
  const guard = refused.get('message')?.item;
  return guard === undefined ? undefined : { outcome: sameMessage(call, hash, parseBody(guard)) };
}

async function answer(
  { hub, clock, seat }: MemberCall,
  id: string,
  sent: Sent,
): Promise<OperationResult<'send'>> {
  const recipients = await recipientViews(hub, clock, seat.room, sent);
  return { id, seq: sent.seq, recipients };
}
