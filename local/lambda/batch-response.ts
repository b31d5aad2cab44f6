// What a function's answer to a batch says about its records: which of them have to come again.
import * as z from 'zod';
import type { Outcome } from './outcome.ts';

const ResponseShape = z.object({
  batchItemFailures: z
    .array(z.object({ itemIdentifier: z.string().nullish() }))
    .nullish()
    .transform((failures) => failures ?? []),
});

/**
 * IDs of the records that failed. An error fails the whole batch, and so does an answer that names
 * a record that is not in it.
 * @param reportsFailures whether the mapping has `ReportBatchItemFailures`
 */
export function failedRecords(
  outcome: Outcome,
  ids: readonly string[],
  reportsFailures: boolean,
): ReadonlySet<string> {
  const all = new Set(ids);
  if (!outcome.ok) return all;
  if (!reportsFailures) return new Set();
  const result: unknown = JSON.parse(outcome.payload);
  if (result === null) return new Set();
  const parsed = ResponseShape.safeParse(result);
  if (!parsed.success) return all;
  const failed = parsed.data.batchItemFailures.map(({ itemIdentifier }) => itemIdentifier ?? '');
  return failed.every((id) => all.has(id)) ? new Set(failed) : all;
}
