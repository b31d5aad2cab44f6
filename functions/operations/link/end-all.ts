// Ending links from outside: of a deleted room, and of a credential that was revoked.
import type { HubFrame } from '../../../protocol/frames.ts';
import {
  deleteConnection,
  deleteLink,
  getConnection,
  listDeviceLinks,
  listLinks,
} from '../../store/links.ts';
import { endLink, type LinkHub } from './connections.ts';

/** Tells every link of a deleted room and closes it. */
export async function endRoomLinks(hub: LinkHub, room: string): Promise<void> {
  const links = await listLinks(hub.table, room);
  await Promise.all(
    links.map(({ no, connection }) => endLink(hub, { room, no, connection }, 'not_in_room')),
  );
}

const revoked: HubFrame = { t: 'state', link: 'revoked' };

/** Tells every socket opened with a device's credential that it is signed out, and closes it. */
export async function endDeviceLinks(
  { table, connections }: LinkHub,
  account: string,
  device: string,
): Promise<void> {
  const open = await listDeviceLinks(table, account, device);
  await Promise.all(
    open.map(async (connection) => {
      await connections.post(connection, revoked);
      await connections.close(connection);
      const socket = await getConnection(table, connection);
      if (socket !== undefined) await deleteLink(table, socket.room, socket.no, connection);
      await deleteConnection(table, { id: connection, account, device });
    }),
  );
}
