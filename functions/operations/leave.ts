// leave: ends a stay for good, by its account or by the owner of the room.
import { HubError } from '../../protocol/errors.ts';
import { formatAddress } from '../../protocol/ids.ts';
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import type { Member } from '../domain/room.ts';
import { endStay, getAccountRoom } from '../store/accounts.ts';
import { changeRoom, type Tick } from '../store/change-room.ts';
import { leaveConversation } from '../store/conversations.ts';
import type { AccountRoom } from '../store/items.ts';
import { endMember } from '../store/members.ts';
import { getRoomMeta } from '../store/rooms.ts';
import type { RoomCall } from './hub.ts';
import { holdToStay, refuseEndedStay } from './stay.ts';
import { targetMember } from './target-member.ts';

export async function leave(
  call: RoomCall,
  input: OperationInput<'leave'>,
): Promise<OperationResult<'leave'>> {
  const { hub, deadline, seat } = call;
  return changeRoom(hub.table, seat.room, deadline, call.clock, async (clock) => {
    const member = await targetMember(call, clock, input.member);
    await requireRight(call, member);
    const row = await getAccountRoom(hub.table, member.account, seat.room);
    return {
      entry: { kind: 'leave', from: member.no },
      changesRoster: true,
      presence: { delta: -1, takesPlace: member.host !== 'website' },
      writes: (tick) => [...writes(seat.room, member, row, tick), ...holdToStay(call, member.no)],
      result: () => ({ left: formatAddress(member) }),
      settle: refuseEndedStay,
    };
  });
}

async function requireRight({ hub, principal, seat }: RoomCall, member: Member): Promise<void> {
  if (member.account === principal.account) return;
  if (seat.kind === 'observer' && seat.isOwner) return;
  const meta = await getRoomMeta(hub.table, seat.room);
  if (meta?.owner === principal.account) return;
  throw new HubError('forbidden', 'only its own account or the owner of the room removes a member');
}

function writes(room: string, member: Member, row: AccountRoom | undefined, tick: Tick) {
  const stays = row ?? { room, isOwner: false, present: [], stays: [] };
  return [
    ...endMember(room, member, tick),
    endStay(member.account, stays, member.no, tick),
    ...(member.host === 'website' ? [] : [leaveConversation(member, room, member.no, tick.nowMs)]),
  ];
}
