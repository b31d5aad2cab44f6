// A throw-away local DynamoDB for a test file, in memory where the machine allows it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type LocalDynamoDb, type LocalDynamoDbOptions, startLocalDynamoDb } from './index.ts';

export interface TestDynamoDb {
  db: LocalDynamoDb;
  folder: string;
  /** A client whose calls the proxy sees as `principal`'s; one attempt unless told otherwise. */
  client(principal?: string, maxAttempts?: number): DynamoDBDocumentClient;
  /** Ends everything and deletes the data. */
  close(): Promise<void>;
}

/** Starts a local DynamoDB, in a folder of its own unless one is named. */
export async function startTestDynamoDb(
  options: Partial<LocalDynamoDbOptions> = {},
): Promise<TestDynamoDb> {
  const folder = options.folder ?? temporaryFolder();
  const clients: DynamoDBClient[] = [];
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const db = await startLocalDynamoDb({ tables: [testTable], ...options, folder }).catch(
    (error: unknown) => {
      removeFolder();
      throw error;
    },
  );
  return {
    db,
    folder,
    client(principal = 'tester', maxAttempts = 1) {
      const client = new DynamoDBClient({
        endpoint: db.endpoint,
        region: 'eu-central-1',
        credentials: { accessKeyId: principal, secretAccessKey: 'any' },
        maxAttempts,
      });
      clients.push(client);
      return DynamoDBDocumentClient.from(client);
    },
    async close() {
      for (const client of clients) client.destroy();
      await db.close();
      removeFolder();
    },
  };
}

/** The table that is there when a test names none: `pk`, `sk`, TTL on `expiresAt`. */
export const testTable = {
  tableName: 'hub',
  partitionKey: 'pk',
  sortKey: 'sk',
  timeToLiveAttribute: 'expiresAt',
  streamViewType: 'KEYS_ONLY',
} as const;

/** A new empty folder, in memory where the machine has such a place. */
export function temporaryFolder(): string {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  return mkdtempSync(join(parent, 'tandry-dynamodb-'));
}
