// Batches of a stream or a queue: every record is tried, the failed ones are named back.

/** Lambda's partial batch response. */
export interface BatchResponse {
  readonly batchItemFailures: readonly { readonly itemIdentifier: string }[];
}

/**
 * Runs `each` over the records and reports the identifiers of those that threw, by name of the
 * fault alone: a record's content never reaches a log.
 */
export async function eachRecord<Item>(
  records: readonly Item[],
  identify: (record: Item) => string,
  each: (record: Item) => Promise<void>,
  onFault: (name: string) => void,
): Promise<BatchResponse> {
  const batchItemFailures: { itemIdentifier: string }[] = [];
  for (const record of records) {
    try {
      await each(record);
    } catch (error) {
      onFault(error instanceof Error ? error.name : typeof error);
      batchItemFailures.push({ itemIdentifier: identify(record) });
    }
  }
  return { batchItemFailures };
}
