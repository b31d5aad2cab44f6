// delete_room: permanent, by the owner; what the room held is purged in the background.
import { HubError } from '../../protocol/errors.ts';
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import { releaseOwnedRoom } from '../store/accounts.ts';
import { getRoomMeta, deleteRoom as writeTombstones } from '../store/rooms.ts';
import { hasTime } from '../store/table-port.ts';
import { transact } from '../store/write.ts';
import type { AccountCall } from './hub.ts';

export async function deleteRoom(
  { hub, deadline, principal }: AccountCall,
  { room }: OperationInput<'delete_room'>,
): Promise<OperationResult<'delete_room'>> {
  while (hasTime(hub.table, deadline)) {
    const meta = await getRoomMeta(hub.table, room);
    const isOwner = meta?.owner === principal.account;
    if (meta === undefined || (meta.deletedAt !== undefined && !isOwner)) {
      throw new HubError('not_in_room', 'there is no such room');
    }
    if (!isOwner) throw new HubError('forbidden', 'only the owner of a room may delete it');
    if (meta.deletedAt !== undefined) return {};
    const refused = await transact(hub.table, deadline, [
      ...writeTombstones(room, meta, hub.table.nowMs()),
      releaseOwnedRoom(principal.account),
    ]);
    if (refused.size === 0) return {};
  }
  throw new HubError('unavailable', 'the room could not be deleted; repeat the same call');
}
