// read: moves the reading position forward, never back, never past the clock.
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import { advancePosition } from '../store/positions.ts';
import type { MemberCall } from './hub.ts';
import { stayIsOver } from './stay.ts';

export async function read(
  { hub, deadline, clock, seat }: MemberCall,
  { upTo }: OperationInput<'read'>,
): Promise<OperationResult<'read'>> {
  const seq = Math.min(upTo, clock.tick);
  const readSeq = await advancePosition(hub.table, deadline, seat, seq);
  if (readSeq !== undefined) return { readSeq };
  throw stayIsOver();
}
