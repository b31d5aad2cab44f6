// Which room a join means: by code for conversations, by room ID for the website member alone.
import { HubError } from '../../protocol/errors.ts';
import { limits } from '../../protocol/limits.ts';
import type { OperationInput } from '../../protocol/operations/index.ts';
import type { Clock } from '../domain/room.ts';
import { countWrongCode, getAccountRoom, getAttempts } from '../store/accounts.ts';
import { getClock, getRoomOfCode } from '../store/rooms.ts';
import { siteConversation } from './enter.ts';
import type { ConversationCall } from './hub.ts';

type Input = OperationInput<'join'>;

interface OpenRoom {
  readonly room: string;
  readonly clock: Clock;
}

/** The room and its clock. Throws `no_such_room`, `rate_limited`, `not_in_room`, `forbidden`. */
export async function openRoom(call: ConversationCall, input: Input): Promise<OpenRoom> {
  const { host, conversation } = call.caller;
  const isWebsite = host === 'website';
  if (isWebsite && conversation !== siteConversation) {
    throw new HubError('invalid_input', `the website's conversation is ${siteConversation}`);
  }
  if (isWebsite && input.room !== undefined) return byRoomId(call, input.room);
  if (!isWebsite && input.code !== undefined) return byCode(call, input.code);
  throw new HubError(
    'invalid_input',
    isWebsite
      ? 'the website joins by room, not by code'
      : 'join by code; only the website joins by room',
  );
}

async function byRoomId({ hub, principal }: ConversationCall, room: string): Promise<OpenRoom> {
  const [clock, row] = await Promise.all([
    getClock(hub.table, room),
    getAccountRoom(hub.table, principal.account, room),
  ]);
  if (clock === undefined || clock.deletedAt !== undefined) {
    throw new HubError('not_in_room', 'there is no such room');
  }
  if (row === undefined || (!row.isOwner && row.present.length === 0)) {
    throw new HubError('forbidden', 'this account neither owns the room nor has a member in it');
  }
  return { room, clock };
}

const windowMs = limits.joinAttemptsWindowMinutes * 60_000;

async function byCode(call: ConversationCall, code: string): Promise<OpenRoom> {
  const { hub, principal } = call;
  const attempts = await getAttempts(hub.table, principal.account);
  if (attempts !== undefined && attempts.count >= hub.policy.joinAttempts) {
    const restMs = attempts.windowStart + windowMs - hub.table.nowMs();
    if (restMs > 0) throw tooMany(restMs);
  }
  const room = await getRoomOfCode(hub.table, code);
  const clock = room === undefined ? undefined : await getClock(hub.table, room);
  if (room !== undefined && clock !== undefined && clock.deletedAt === undefined) {
    return { room, clock };
  }
  await refuseCode(call);
  throw noSuchRoom();
}

/**
 * Counts a wrong code before it is refused: of guesses under way at once no more than the limit are
 * told that they were wrong.
 */
async function refuseCode({ hub, deadline, principal }: ConversationCall): Promise<void> {
  const restMs = await countWrongCode(
    hub.table,
    deadline,
    principal.account,
    hub.policy.joinAttempts,
    windowMs,
  );
  if (restMs !== undefined) throw tooMany(restMs);
}

export const noSuchRoom = () => new HubError('no_such_room', 'this code opens no room');

/** `restMs` until the window ends. */
const tooMany = (restMs: number) =>
  new HubError('rate_limited', 'too many wrong codes from this account', {
    retryAfterSeconds: Math.ceil(restMs / 1000),
  });
