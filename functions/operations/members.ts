// members: who is in the room, by join time.
import type { OperationResult } from '../../protocol/operations/index.ts';
import type { RoomCall } from './hub.ts';
import { memberViews } from './roster.ts';

export async function members({ hub, clock, seat }: RoomCall): Promise<OperationResult<'members'>> {
  return { members: await memberViews(hub, clock, seat) };
}
