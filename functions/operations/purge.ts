// Erasing deleted rooms in the background: queued by the table's stream, handed on until done.
import { roomOfPartition } from '../store/keys.ts';
import { purgeRoom } from '../store/purge.ts';
import { getRoomMeta } from '../store/rooms.ts';
import type { LinkHub } from './link/connections.ts';
import { endRoomLinks } from './link/end-all.ts';

/** What purging works with. */
export interface Purging extends LinkHub {
  /** Puts a room on the purge queue, to be handled in `delayS` seconds at the earliest. */
  readonly enqueue: (room: string, delayS: number) => Promise<void>;
}

/** Items of a commit from just before the deletion become visible within this time. */
const settleS = 5;

/** Queues the room whose META lies in this partition, if it was deleted, and ends its links. */
export async function queueIfDeleted(hub: Purging, pk: string): Promise<void> {
  const room = roomOfPartition(pk);
  if (room === undefined) return;
  const meta = await getRoomMeta(hub.table, room);
  if (meta?.deletedAt === undefined) return;
  await hub.enqueue(room, settleS);
  await endRoomLinks(hub, room);
}

/** Purges one room as far as time allows and hands the rest on to the queue. */
export async function purgeFurther(
  { table, enqueue }: Purging,
  room: string,
  hasTime: () => boolean,
): Promise<void> {
  if (!(await purgeRoom(table, room, hasTime))) await enqueue(room, 0);
}
