// Ending links from outside: of a deleted room, and of a credential that was revoked.
import {
  deleteConnection,
  deleteLink,
  getConnection,
  listDeviceLinks,
  listLinks,
} from '../../store/links.ts';
import { dismiss, endLink, type LinkHub } from './connections.ts';
import { eachInTurn } from './each-in-turn.ts';

/** Tells every link of a deleted room and closes it. */
export async function endRoomLinks(hub: LinkHub, room: string): Promise<void> {
  const links = await listLinks(hub.table, room);
  await eachInTurn(links, ({ no, connection }) =>
    endLink(hub, { room, no, connection }, 'not_in_room'),
  );
}

/** Tells every socket opened with a device's credential that it is signed out, and closes it. */
export async function endDeviceLinks(
  { table, connections }: LinkHub,
  account: string,
  device: string,
): Promise<void> {
  const open = await listDeviceLinks(table, account, device);
  await eachInTurn(open, async (connection) => {
    await dismiss(connections, connection, 'revoked');
    const socket = await getConnection(table, connection);
    if (socket !== undefined) await deleteLink(table, socket.room, socket.no, connection);
    await deleteConnection(table, { id: connection, account, device });
  });
}
