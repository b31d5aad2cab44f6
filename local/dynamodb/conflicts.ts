// DynamoDB's rules on which call may not meet which other one at the same item.
import { cancelled, reasons } from './cancellation.ts';
import type { Holder, ItemLocks } from './item-locks.ts';
import type { Member } from './members.ts';
import { type Answer, errorAnswer } from './wire.ts';

interface Rule {
  /** Holders that this operation may not meet. */
  avoids: readonly Holder[];
  /** How it is refused, given which members met one. */
  refuse: (hits: readonly boolean[]) => Answer;
}

function cancel(hits: readonly boolean[]): Answer {
  return cancelled(hits.map((isHit) => (isHit ? reasons.conflict : reasons.none)));
}
function refuseWrite(): Answer {
  return errorAnswer('TransactionConflictException', reasons.conflict.Message);
}

const rules: Record<string, Rule> = {
  TransactWriteItems: { avoids: ['transaction'], refuse: cancel },
  TransactGetItems: { avoids: ['transaction', 'write'], refuse: cancel },
  PutItem: { avoids: ['transaction'], refuse: refuseWrite },
  UpdateItem: { avoids: ['transaction'], refuse: refuseWrite },
  DeleteItem: { avoids: ['transaction'], refuse: refuseWrite },
};

/** The refusal of a call that meets a held item; undefined if it may go on. */
export function refuseConflict(
  operation: string,
  members: readonly Member[],
  locks: ItemLocks,
): Answer | undefined {
  const rule = rules[operation];
  if (rule === undefined) return undefined;
  const hits = members.map(
    ({ itemId }) => itemId !== undefined && rule.avoids.some((by) => locks.isHeld(itemId, by)),
  );
  return hits.includes(true) ? rule.refuse(hits) : undefined;
}
