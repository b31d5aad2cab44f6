// What the Hub can do to sockets; the adapter to API Gateway is functions/connections.ts.
import type { HubFrame, LinkEnd } from '../../../protocol/frames.ts';
import type { Link } from '../../domain/room.ts';
import { deleteConnection, deleteLink, getConnection } from '../../store/links.ts';
import { touchMember } from '../../store/positions.ts';
import type { Table } from '../../store/table-port.ts';

/** API Gateway's management of open connections. */
export interface Connections {
  /** Throws if the frame could not be handed over although the connection may be there. */
  post(connection: string, frame: HubFrame): Promise<'sent' | 'gone'>;
  /** Closes a connection; one that is gone already is fine. */
  close(connection: string): Promise<void>;
}

/** What handling links needs. */
export interface LinkHub {
  readonly table: Table;
  readonly connections: Connections;
}

const patienceMs = 5_000;

/**
 * Ends a member's link for good: says why, closes it, forgets it. Not for `superseded`, where the
 * client closes by itself: one that does not know the frame would reconnect and fight.
 */
export async function endLink(
  { table, connections }: LinkHub,
  link: { readonly room: string; readonly no: number; readonly connection: string },
  why: Exclude<LinkEnd, 'superseded'>,
): Promise<void> {
  const outcome = await dismiss(connections, link.connection, why);
  await deleteLink(table, link.room, link.no, link.connection);
  // Perhaps it is still being opened: its first state frame then finds its row, and is told.
  if (outcome === 'gone') return;
  const socket = await getConnection(table, link.connection);
  if (socket !== undefined) await deleteConnection(table, socket);
}

/**
 * Says why a connection ends and closes it. Also one that can be told nothing any more: else a
 * client that does not read what it is sent would keep its link.
 */
export async function dismiss(
  connections: Connections,
  connection: string,
  why: Exclude<LinkEnd, 'superseded'>,
): Promise<'sent' | 'gone' | 'failed'> {
  const frame: HubFrame = { t: 'state', link: why };
  const outcome = await connections.post(connection, frame).catch(() => 'failed' as const);
  await connections.close(connection);
  return outcome;
}

/**
 * Forgets a link whose connection answers "gone", if it is still this connection's. The socket's
 * own row stays: should it live after all, its next state frame makes the link again.
 */
export async function forgetLink(table: Table, room: string, link: Link): Promise<void> {
  const { no, connection, epoch, seenAt } = link;
  if (!(await deleteLink(table, room, no, connection))) return;
  await touchMember(table, { atMs: table.nowMs() + patienceMs }, { room, no, epoch }, seenAt);
}
