// rename: another name for a member of the caller's own account.
import { HubError } from '../../protocol/errors.ts';
import { formatAddress, slugMemberName } from '../../protocol/ids.ts';
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import { changeRoom } from '../store/change-room.ts';
import { getNumbersOfAddresses, renameMember } from '../store/members.ts';
import type { RoomCall } from './hub.ts';
import { holdToStay, refuseEndedStay } from './stay.ts';
import { targetMember } from './target-member.ts';

export async function rename(
  call: RoomCall,
  input: OperationInput<'rename'>,
): Promise<OperationResult<'rename'>> {
  const { hub, deadline, principal, seat } = call;
  return changeRoom(hub.table, seat.room, deadline, call.clock, async (clock) => {
    const member = await targetMember(call, clock, input.member);
    if (member.account !== principal.account) {
      throw new HubError('forbidden', 'only its own account renames a member');
    }
    const name = slugMemberName(input.name) ?? member.name;
    const address = formatAddress({ handle: member.handle, name });
    if (name === member.name) return { outcome: { member: address } };
    if ((await getNumbersOfAddresses(hub.table, seat.room, [address])).size > 0) {
      throw new HubError('name_taken', `${address} is in this room already`);
    }
    return {
      entry: { kind: 'rename', from: member.no },
      changesRoster: true,
      writes: () => [...renameMember(seat.room, member, name), ...holdToStay(call, member.no)],
      result: () => ({ member: address }),
      settle: refuseEndedStay,
    };
  });
}
