// new_room: a room of the caller's account; repeating it makes no second one.
import { HubError } from '../../protocol/errors.ts';
import { formatRoomCode, mintRoomCode } from '../../protocol/ids.ts';
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import { getProfile, putOwnedRoom } from '../store/accounts.ts';
import { getRoomMeta, putRoom } from '../store/rooms.ts';
import { transact } from '../store/write.ts';
import type { AccountCall } from './hub.ts';

const codeRandomBytes = 5;

export async function newRoom(
  call: AccountCall,
  input: OperationInput<'new_room'>,
): Promise<OperationResult<'new_room'>> {
  const { hub, deadline, principal } = call;
  const profile = await getProfile(hub.table, principal.account);
  if (profile === undefined) throw handleRequired();
  for (;;) {
    const code = mintRoomCode(hub.randomBytes(codeRandomBytes));
    const refused = await transact(hub.table, deadline, [
      ...putRoom({
        ...input,
        code,
        owner: principal.account,
        retentionDays: hub.policy.retentionDays,
        nowMs: hub.table.nowMs(),
      }),
      ...putOwnedRoom(principal.account, input.id, hub.policy.roomsPerOwner),
    ]);
    if (refused.size === 0) return { id: input.id, name: input.name, code: formatRoomCode(code) };
    if (refused.has('meta')) return existingRoom(call, input.id);
    if (refused.has('owner')) {
      throw new HubError(
        'limit_reached',
        `an account owns at most ${hub.policy.roomsPerOwner} rooms`,
      );
    }
    if (!refused.has('code')) throw new HubError('unavailable', 'the room could not be made');
  }
}

/** A repeat gets the room as it is now; an ID that was ever used makes no other room. */
async function existingRoom(
  { hub, principal }: AccountCall,
  id: string,
): Promise<OperationResult<'new_room'>> {
  const meta = await getRoomMeta(hub.table, id);
  if (meta?.owner !== principal.account || meta.deletedAt !== undefined) {
    throw new HubError('invalid_input', 'this room ID is taken; make the room with a new one');
  }
  return { id, name: meta.name, code: formatRoomCode(meta.code) };
}

export const handleRequired = () =>
  new HubError('handle_required', 'this account has no handle yet');
