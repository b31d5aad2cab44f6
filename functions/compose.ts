// Wires the store to AWS and the log to standard output; shared by the *.lambda.ts entries.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { paceTiming } from './store/pace.ts';
import type { Table } from './store/table-port.ts';

/** An answer that takes longer is taken for lost and asked for again under the same token. */
const requestTimeoutMs = 3_000;
const connectionTimeoutMs = 1_000;

/** The deployed table, with real time and dice. */
export function deployedTable(name: string): Table {
  const client = new DynamoDBClient({
    maxAttempts: 3,
    requestHandler: { requestTimeout: requestTimeoutMs, connectionTimeout: connectionTimeoutMs },
  });
  return {
    client: DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
    }),
    name,
    nowMs: Date.now,
    random: Math.random,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    pace: paceTiming,
  };
}

/** One JSON line; callers choose the fields. */
export function writeLog(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
