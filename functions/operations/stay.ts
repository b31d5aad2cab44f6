// The stay a caller acts through: once it ended or was continued elsewhere, nothing of it succeeds.
import { HubError } from '../../protocol/errors.ts';
import type { Cursor } from '../domain/room.ts';
import type { Write } from '../store/expressions.ts';
import type { Refusal } from '../store/failures.ts';
import { checkStay, getCursor } from '../store/positions.ts';
import type { MemberCall, RoomCall } from './hub.ts';

export const stayIsOver = () =>
  new HubError('not_in_room', 'this member left or is continued in another conversation');

/** Position, bucket and activity of the caller's stay; `not_in_room` once it is over. */
export async function currentCursor({
  hub,
  seat,
}: Pick<MemberCall, 'hub' | 'seat'>): Promise<Cursor> {
  const cursor = await getCursor(hub.table, seat.room, seat.no);
  if (cursor !== undefined && !cursor.hasLeft && cursor.epoch === seat.epoch) return cursor;
  throw stayIsOver();
}

/** Holds a change to the caller's stay, unless the change is one of that very member, `no`. */
export function holdToStay({ seat }: Pick<RoomCall, 'seat'>, no?: number): readonly Write[] {
  return seat.kind === 'member' && seat.no !== no ? [checkStay(seat)] : [];
}

/** For `settle`: the change was refused because the caller's stay is over. */
export function refuseEndedStay(refused: ReadonlyMap<string, Refusal>): undefined {
  if (refused.has('stay')) throw stayIsOver();
}
