// Wires the store to AWS and the log to standard output; shared by the *.lambda.ts entries.
import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod';
import { authenticator } from './auth/authenticate.ts';
import type { LinkEnv } from './env.ts';
import type { Hub } from './operations/hub.ts';
import { policyFrom } from './policy.ts';
import { paceTiming } from './store/pace.ts';
import type { Table } from './store/table-port.ts';

type HubEnv = z.output<typeof LinkEnv>;

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

/** The Hub of the functions that people and agents call. */
export function deployedHub(env: HubEnv): Hub {
  return {
    table: deployedTable(env.TABLE_NAME),
    policy: policyFrom(env),
    authenticate: authenticator(async () => {
      const { websiteTokens } = await import('./auth/website-token.ts');
      return websiteTokens({
        issuer: env.COGNITO_ISSUER,
        jwksUri: env.COGNITO_JWKS_URI,
        clientId: env.COGNITO_WEBSITE_CLIENT_ID,
      });
    }),
    randomBytes,
    log: writeLog,
  };
}

/** One JSON line; callers choose the fields. */
export function writeLog(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
