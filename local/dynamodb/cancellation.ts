// The answer that cancels a transaction, with one reason per member in their order.
import type { JsonObject } from './json.ts';
import { type Answer, errorAnswer } from './wire.ts';

export const reasons = {
  none: { Code: 'None' },
  conflict: { Code: 'TransactionConflict', Message: 'Transaction is ongoing for the item' },
  throttled: {
    Code: 'ThrottlingError',
    Message: 'Throughput exceeds the current capacity of your table or index.',
  },
} satisfies Record<string, JsonObject>;

export function cancelled(all: readonly JsonObject[]): Answer {
  const codes = all.map((reason) => reason['Code']).join(', ');
  return errorAnswer(
    'TransactionCanceledException',
    `Transaction cancelled, please refer cancellation reasons for specific reasons [${codes}]`,
    { CancellationReasons: [...all] },
  );
}
