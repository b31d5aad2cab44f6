// status: the account and the rooms it owns or has a present member in, by name.
import { formatRoomCode } from '../../protocol/ids.ts';
import type { RoomSummary } from '../../protocol/nouns.ts';
import type { OperationResult } from '../../protocol/operations/index.ts';
import { getProfile, listAccountRooms } from '../store/accounts.ts';
import type { RoomMeta } from '../store/items.ts';
import { getRoomMetas } from '../store/rooms.ts';
import type { AccountCall } from './hub.ts';

export async function status({ hub, principal }: AccountCall): Promise<OperationResult<'status'>> {
  const [profile, all] = await Promise.all([
    getProfile(hub.table, principal.account),
    listAccountRooms(hub.table, principal.account),
  ]);
  const rows = all.filter((row) => row.isOwner || row.present.length > 0);
  const metas = await getRoomMetas(
    hub.table,
    rows.map(({ room }) => room),
  );
  const rooms = rows.flatMap(({ room, isOwner }) => {
    const meta = metas.get(room);
    return meta === undefined || meta.deletedAt !== undefined
      ? []
      : [roomSummary(room, meta, isOwner)];
  });
  return {
    account: { id: principal.account, handle: profile?.handle ?? null },
    rooms: rooms.sort((a, b) => a.name.localeCompare(b.name) || a.id.localeCompare(b.id)),
  };
}

/** A room in a list; the code is the owner's alone to see. */
export function roomSummary(id: string, meta: RoomMeta, isOwner: boolean): RoomSummary {
  const { name, description, code } = meta;
  return isOwner
    ? { id, name, description, role: 'owner', code: formatRoomCode(code) }
    : { id, name, description, role: 'member' };
}
