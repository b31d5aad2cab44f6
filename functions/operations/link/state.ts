// A client's state frame: what it says of itself, and the repair of whatever was lost about its
// link.
import type { ClientStateFrame } from '../../../protocol/frames.ts';
import type { Connection } from '../../store/items.ts';
import { getConnection, updateLinkState } from '../../store/links.ts';
import { getCursor } from '../../store/positions.ts';
import { getClock } from '../../store/rooms.ts';
import { endLink, type LinkHub } from './connections.ts';
import { takeLink } from './open.ts';

const patienceMs = 5_000;

/** A frame and when API Gateway received it; frames of one client may be handled out of order. */
export interface StateReport {
  readonly connection: string;
  readonly receivedAt: number;
  readonly frame: ClientStateFrame;
}

/** Notes the frame; a link that was forgotten is made again from its socket if the stay goes on. */
export async function noteState(
  hub: LinkHub,
  { connection, receivedAt, frame }: StateReport,
): Promise<void> {
  const socket = await getConnection(hub.table, connection);
  // Superseded or ended: it was told, and nothing it says counts.
  if (socket === undefined) return;
  const { wakeable, busy } = frame;
  const state = { connection, wakeable, busy, seenAt: receivedAt };
  const deadline = { atMs: hub.table.nowMs() + patienceMs };
  const outcome = await updateLinkState(hub.table, deadline, socket, state);
  if (outcome === 'updated' || outcome === 'outdated') return;
  const end = await endOfStay(hub, socket);
  if (end !== undefined) return endLink(hub, { ...socket, connection }, end);
  await takeLink(hub, socket, { ...state, connectedAt: socket.connectedAt });
}

async function endOfStay(
  { table }: LinkHub,
  { room, no, epoch }: Connection,
): Promise<'rebound' | 'not_in_room' | undefined> {
  const [clock, cursor] = await Promise.all([getClock(table, room), getCursor(table, room, no)]);
  if (clock === undefined || clock.deletedAt !== undefined) return 'not_in_room';
  if (cursor === undefined || cursor.hasLeft) return 'not_in_room';
  return cursor.epoch === epoch ? undefined : 'rebound';
}
