// inbox: the next batch. Push peeks, and `read` follows; pull moves the position before the answer.
import { type MessageView, tierOf } from '../../protocol/nouns.ts';
import type { OperationResult } from '../../protocol/operations/index.ts';
import type { Cursor } from '../domain/room.ts';
import { advancePosition, consume } from '../store/positions.ts';
import { noteActivity } from './activity.ts';
import type { MemberCall } from './hub.ts';
import { type Batch, nextBatch } from './mail.ts';
import { messageView, unreadView } from './message-views.ts';
import { currentCursor } from './stay.ts';

/** From this many entries on, moving a position over mail of others pays for itself. */
const worthSkipping = 120;

export async function inbox(call: MemberCall): Promise<OperationResult<'inbox'>> {
  const { hub, clock, seat } = call;
  for (;;) {
    const cursor = await currentCursor(call);
    const box = { ...seat, readSeq: cursor.readSeq };
    const batch = await nextBatch(hub, clock, box, hub.policy.pages.inbox);
    const shown = view(batch);
    if (batch.entries.length === 0) {
      await settleEmpty(call, cursor, batch);
      return shown;
    }
    if (tierOf[seat.caller.host] === 'push') {
      await noteActivity(call, seat, cursor.lastActiveAt);
      return shown;
    }
    // Of callers at once exactly one moves the position; the others look again behind it.
    if (await consume(hub.table, call.deadline, seat, cursor.readSeq, shown.upTo)) return shown;
  }
}

function view({ entries, bodies, names, remaining }: Batch): OperationResult<'inbox'> {
  const messages = entries
    .map((entry) => messageView(entry, bodies, names))
    .filter((message): message is MessageView => message !== undefined);
  return { messages, upTo: entries.at(-1)?.seq ?? 0, remaining: unreadView(remaining, names) };
}

async function settleEmpty(call: MemberCall, cursor: Cursor, batch: Batch): Promise<void> {
  if (batch.skippedTo - cursor.readSeq < worthSkipping) {
    return noteActivity(call, call.seat, cursor.lastActiveAt);
  }
  await advancePosition(call.hub.table, call.deadline, call.seat, batch.skippedTo);
}
