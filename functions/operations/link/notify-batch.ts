// A batch of the stream, room by room: none waits for another, none holds the batch up.
import { linkOfKey, roomOfPartition, seqOfKey } from '../../store/keys.ts';
import type { LinkHub } from './connections.ts';
import { NotYet, notifyRoom, type RoomNews } from './notify-room.ts';

/** What notifying a batch needs besides the links. */
export interface Notifying extends LinkHub {
  /** Puts a room aside, to be notified again in `delayS` seconds at the earliest. */
  readonly delay: (room: string, delayS: number) => Promise<void>;
  readonly log: (line: object) => void;
}

/** An item that was written, and how its record is named when it has to come again. */
export interface Change {
  readonly id: string;
  readonly pk: string;
  readonly sk: string;
}

/** A room's share of a batch: beyond it the room goes to the delay queue. */
const roomPatienceMs = 2_500;
const delayS = 5;

/**
 * Notifies the rooms of a batch side by side; gives the names of records that have to come again.
 */
export async function notifyBatch(
  hub: Notifying,
  changes: readonly Change[],
): Promise<readonly string[]> {
  const rooms = Map.groupBy(changes, ({ pk }) => roomOfPartition(pk) ?? '');
  const failed = await Promise.all(
    [...rooms].map(async ([room, own]) => {
      const isDone = room === '' || (await succeeds(hub, newsOf(room, own)));
      return isDone ? [] : own.map(({ id }) => id);
    }),
  );
  return failed.flat();
}

function newsOf(room: string, changes: readonly Change[]): RoomNews {
  const numbers = (read: (sk: string) => number | undefined) => [
    ...new Set(changes.map(({ sk }) => read(sk)).filter((no) => no !== undefined)),
  ];
  return { room, seqs: numbers(seqOfKey), links: numbers(linkOfKey) };
}

async function succeeds(hub: Notifying, news: RoomNews): Promise<boolean> {
  try {
    await notifyOrDelay(hub, news);
    return true;
  } catch (error) {
    const fault = error instanceof Error ? error.name : typeof error;
    hub.log({ level: 'error', operation: 'notify', outcome: 'unavailable', fault });
    return false;
  }
}

/** Notifies one room. Throws if a post failed, or `NotYet` if it was not done in time. */
export async function notifyInTime(hub: Notifying, news: RoomNews): Promise<void> {
  const frames = await notifyRoom(hub, news, hub.table.nowMs() + roomPatienceMs);
  if (frames > 0) hub.log({ level: 'info', operation: 'notify', outcome: 'told', frames });
}

/** As `notifyInTime`; a room that is not done in time is put aside. */
async function notifyOrDelay(hub: Notifying, news: RoomNews): Promise<void> {
  try {
    await notifyInTime(hub, news);
  } catch (error) {
    if (!(error instanceof NotYet)) throw error;
    await hub.delay(news.room, delayS);
  }
}
