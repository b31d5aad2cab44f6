// Wires the store to AWS and the log to standard output; shared by the *.lambda.ts entries.
import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as z from 'zod';
import { authenticator } from './auth/authenticate.ts';
import { websiteTokens } from './auth/website-token.ts';
import type { LinkEnv } from './env.ts';
import type { Hub } from './operations/hub.ts';
import type { Connections } from './operations/link/connections.ts';
import { policyFrom } from './policy.ts';
import { createTempo } from './store/pace.ts';
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
    tempo: createTempo(),
  };
}

/** The Hub of the functions that people and agents call. */
export function deployedHub(env: HubEnv): Hub {
  const table = deployedTable(env.TABLE_NAME);
  return {
    table,
    policy: policyFrom(env),
    authenticate: authenticator(
      table,
      websiteTokens(table, {
        issuer: env.COGNITO_ISSUER,
        jwksUri: env.COGNITO_JWKS_URI,
        clientId: env.COGNITO_WEBSITE_CLIENT_ID,
      }),
    ),
    randomBytes,
    log: writeLog,
    connections: connectionsAt(env.CONNECTIONS_ENDPOINT),
  };
}

/** Loads its client when it is first used: most calls never close a link. */
function connectionsAt(endpoint: string): Connections {
  let loading: Promise<Connections> | undefined;
  const load = () => {
    loading ??= import('./connections.ts').then(({ managedConnections }) =>
      managedConnections(endpoint),
    );
    return loading;
  };
  return {
    post: async (connection, frame) => (await load()).post(connection, frame),
    close: async (connection) => (await load()).close(connection),
  };
}

/** One JSON line; callers choose the fields. */
export function writeLog(line: object): void {
  process.stdout.write(`${JSON.stringify(line)}\n`);
}
