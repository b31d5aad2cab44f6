// update_room: name, description and code, by the owner.
import { HubError } from '../../protocol/errors.ts';
import { mintRoomCode } from '../../protocol/ids.ts';
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import type { RoomMeta } from '../store/items.ts';
import { getRoomMeta, updateRoom as writeRoom } from '../store/rooms.ts';
import { hasTime } from '../store/table-port.ts';
import { transact } from '../store/write.ts';
import type { AccountCall } from './hub.ts';
import { roomSummary } from './status.ts';

const codeRandomBytes = 5;

export async function updateRoom(
  call: AccountCall,
  input: OperationInput<'update_room'>,
): Promise<OperationResult<'update_room'>> {
  const { hub, deadline } = call;
  while (hasTime(hub.table, deadline)) {
    const before = await ownedRoom(call, input.room);
    const change = {
      ...(input.name !== undefined && { name: input.name }),
      ...(input.description !== undefined && { description: input.description }),
      ...(input.rotateCode === true && { code: mintRoomCode(hub.randomBytes(codeRandomBytes)) }),
    };
    const refused = await transact(hub.table, deadline, writeRoom(input.room, before, change));
    if (refused.size === 0) return roomSummary(input.room, { ...before, ...change }, true);
  }
  throw new HubError('unavailable', 'the room could not be changed; repeat the same call');
}

/**
 * META of a live room of this account; `not_in_room` if there is none, `forbidden` if not its own.
 */
async function ownedRoom({ hub, principal }: AccountCall, room: string): Promise<RoomMeta> {
  const meta = await getRoomMeta(hub.table, room);
  if (meta === undefined || meta.deletedAt !== undefined) {
    throw new HubError('not_in_room', 'there is no such room');
  }
  if (meta.owner !== principal.account) {
    throw new HubError('forbidden', 'only the owner of a room may do that');
  }
  return meta;
}
