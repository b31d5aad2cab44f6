// Deployed behind the table's stream and the delay queue: composition only.
export const handler = async () => ({ batchItemFailures: [] });
