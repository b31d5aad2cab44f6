// delete_message: clears what a member of the caller's account said; its headers stay.
import { HubError } from '../../protocol/errors.ts';
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import { tookPart } from '../domain/recipients.ts';
import type { MessageBody } from '../domain/room.ts';
import { changeRoom } from '../store/change-room.ts';
import { getLogEntry } from '../store/log.ts';
import { blankIntro, getMember } from '../store/members.ts';
import { getMessage, deleteMessage as writeTombstone } from '../store/messages.ts';
import type { RoomCall } from './hub.ts';
import { holdToStay, refuseEndedStay } from './stay.ts';

export async function deleteMessage(
  call: RoomCall,
  { id }: OperationInput<'delete_message'>,
): Promise<OperationResult<'delete_message'>> {
  const { hub, deadline, principal, seat } = call;
  return changeRoom(hub.table, seat.room, deadline, call.clock, async (clock) => {
    const message = await readable(call, id);
    const [sender, header] = await Promise.all([
      getMember(hub.table, seat.room, message.from),
      getLogEntry(hub.table, seat.room, message.seq),
    ]);
    if (sender === undefined || header === undefined) throw unknown();
    if (sender.account !== principal.account) {
      throw new HubError('forbidden', 'only the account whose member said a message deletes it');
    }
    if (header.deletedAt !== undefined) return { outcome: {} };
    if (header.seq > clock.tick) return undefined;
    const isIntro = header.kind === 'intro' && sender.intro === message.body;
    return {
      // Addressed like the message it ends: those are whose notices change.
      entry: {
        kind: 'deletion',
        from: message.from,
        to: header.to,
        ...(header.toRoom && { toRoom: true }),
      },
      writes: (tick) => [
        ...writeTombstone(message, tick),
        ...(isIntro ? [blankIntro(seat.room, sender)] : []),
        ...holdToStay(call),
      ],
      result: () => ({}),
      settle: refuseEndedStay,
    };
  });
}

async function readable({ hub, seat }: RoomCall, id: string): Promise<MessageBody> {
  const message = await getMessage(hub.table, id);
  const eyes = seat.kind === 'member' ? [seat.no] : seat.stays;
  const isHere = message !== undefined && message.room === seat.room;
  if (isHere && (!message.dm || eyes.some((no) => tookPart(message, no)))) return message;
  throw unknown();
}

const unknown = () =>
  new HubError('no_such_message', 'there is no such message for this caller to see');
