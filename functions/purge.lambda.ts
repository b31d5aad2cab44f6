// Deployed behind the table's stream and the purge queue: composition only.
export const handler = async () => ({ batchItemFailures: [] });
