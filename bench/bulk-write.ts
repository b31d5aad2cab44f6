// Many items into the engine at once, past the proxy: nothing of it is in the ledger.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TestHub } from '../functions/testing/test-hub.ts';

export type Item = Record<string, unknown>;

/** BatchWriteItem takes no more. */
const batchItems = 25;
const lanes = 8;

export async function bulkWrite({ hub, db }: TestHub, items: Iterable<Item>): Promise<void> {
  const engine = new DynamoDBClient({
    endpoint: db.engineEndpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'bench', secretAccessKey: 'any' },
  });
  const client = DynamoDBDocumentClient.from(engine);
  const batches = inBatches(items);
  const lane = async () => {
    for (const batch of batches) {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      await client.send(new BatchWriteCommand({ RequestItems: { [hub.table.name]: requests } }));
    }
  };
  try {
    await Promise.all(Array.from({ length: lanes }, lane));
  } finally {
    engine.destroy();
  }
}

/** One generator for all lanes: each takes the next batch. */
function* inBatches(items: Iterable<Item>): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < batchItems) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
