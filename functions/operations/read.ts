// read: moves the reading position forward, never back, never past the clock.
import { HubError } from '../../protocol/errors.ts';
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import { advancePosition } from '../store/positions.ts';
import type { MemberCall } from './hub.ts';

export async function read(
  { hub, deadline, clock, seat }: MemberCall,
  { upTo }: OperationInput<'read'>,
): Promise<OperationResult<'read'>> {
  const seq = Math.min(upTo, clock.tick);
  const readSeq = await advancePosition(hub.table, deadline, seat, seq);
  if (readSeq !== undefined) return { readSeq };
  throw new HubError('not_in_room', 'this member left or is continued in another conversation');
}
