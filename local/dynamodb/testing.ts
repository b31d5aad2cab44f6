// A throw-away local DynamoDB for a test file, in memory where the machine allows it.
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type LocalDynamoDb, type LocalDynamoDbOptions, startLocalDynamoDb } from './index.ts';

export interface TestDynamoDb {
  db: LocalDynamoDb;
  /** A client whose calls the proxy sees as `principal`'s; one attempt unless told otherwise. */
  client(principal?: string, maxAttempts?: number): DynamoDBDocumentClient;
  /** Ends everything and deletes the data. */
  close(): Promise<void>;
}

/** Starts a local DynamoDB in a folder of its own. */
export async function startTestDynamoDb(
  options: Omit<LocalDynamoDbOptions, 'folder'>,
): Promise<TestDynamoDb> {
  const folder = temporaryFolder();
  const clients: DynamoDBClient[] = [];
  const removeFolder = () => rmSync(folder, { recursive: true, force: true });
  const db = await startLocalDynamoDb({ ...options, folder }).catch((error: unknown) => {
    removeFolder();
    throw error;
  });
  return {
    db,
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

/** A new empty folder, in memory where the machine has such a place. */
export function temporaryFolder(): string {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  return mkdtempSync(join(parent, 'tandry-dynamodb-'));
}
