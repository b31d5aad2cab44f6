// The end of a socket, as far as API Gateway tells: best effort, and about its own connection only.
import { deleteConnection, deleteLink, getConnection, getLinks } from '../../store/links.ts';
import { touchMember } from '../../store/positions.ts';
import type { LinkHub } from './connections.ts';

const patienceMs = 5_000;

/**
 * Forgets the connection. Its member was there until now if the client itself closed, else until
 * the link was last heard of: API Gateway notices a dead client late.
 */
export async function closeLink(
  { table }: Pick<LinkHub, 'table'>,
  connection: string,
  isByClient: boolean,
): Promise<void> {
  const socket = await getConnection(table, connection);
  if (socket === undefined) return;
  const [link] = await getLinks(table, socket.room, [socket.no]);
  const wasLink = await deleteLink(table, socket.room, socket.no, connection);
  if (wasLink && link !== undefined) {
    const deadline = { atMs: table.nowMs() + patienceMs };
    await touchMember(table, deadline, socket, isByClient ? table.nowMs() : link.seenAt);
  }
  await deleteConnection(table, socket);
}
