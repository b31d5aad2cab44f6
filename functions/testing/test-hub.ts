// A Hub in this process on a real local table: what tests of operations run against.
import { randomBytes } from 'node:crypto';
import { rmSync } from 'node:fs';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import {
  type LocalDynamoDb,
  type LocalDynamoDbOptions,
  startLocalDynamoDb,
} from '../../local/dynamodb/index.ts';
import { temporaryFolder } from '../../local/dynamodb/testing.ts';
import { mintId } from '../../protocol/ids.ts';
import type { HostKind } from '../../protocol/nouns.ts';
import type {
  OperationName,
  OperationRequest,
  OperationResult,
} from '../../protocol/operations/index.ts';
import { PolicyEnv } from '../env.ts';
import { execute } from '../operations/execute.ts';
import type { Hub, LogLine } from '../operations/hub.ts';
import { type Policy, policyFrom } from '../policy.ts';
import { createTempo } from '../store/pace.ts';
import { hubTable } from '../store/table.ts';
import type { Table } from '../store/table-port.ts';

const tableName = 'hub';

/** Where and as whom a test calls. */
export interface Caller {
  readonly account: string;
  readonly room?: string;
  readonly host?: HostKind;
  readonly conversation?: string;
}

export interface TestHub {
  readonly hub: Hub;
  readonly db: LocalDynamoDb;
  /** Lines the Hub logged. */
  readonly log: LogLine[];
  /** Runs an operation as a caller; throws HubError. */
  call<Name extends OperationName>(
    operation: Name,
    caller: Caller,
    input: OperationRequest<Name>,
  ): Promise<OperationResult<Name>>;
  /** Moves the Hub's time; storage's own stays. */
  shiftMs(ms: number): void;
  newId(prefix: 'r_' | 'm_'): string;
  close(): Promise<void>;
}

export interface TestHubOptions {
  readonly policy?: Partial<Policy>;
  readonly table?: Partial<Table>;
  readonly dynamodb?: Partial<LocalDynamoDbOptions>;
  readonly maxSockets?: number;
}

/** Starts a Hub whose bearer is the account ID itself. */
export async function startTestHub(options: TestHubOptions = {}): Promise<TestHub> {
  const folder = temporaryFolder();
  const db = await startLocalDynamoDb({
    folder,
    tables: [{ tableName, ...hubTable }],
    ...options.dynamodb,
  });
  const client = new DynamoDBClient({
    endpoint: db.endpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'http', secretAccessKey: 'any' },
    maxAttempts: 3,
    requestHandler: {
      requestTimeout: 15_000,
      httpAgent: { maxSockets: options.maxSockets ?? 200 },
    },
  });
  let shift = 0;
  const log: LogLine[] = [];
  const table: Table = {
    client: DynamoDBDocumentClient.from(client, {
      marshallOptions: { removeUndefinedValues: true },
    }),
    name: tableName,
    nowMs: () => Date.now() + shift,
    random: Math.random,
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms)),
    tempo: createTempo(),
    ...options.table,
  };
  const hub: Hub = {
    table,
    policy: { ...policyFrom(PolicyEnv.parse({})), ...options.policy },
    authenticate: async (bearer) => ({ account: bearer, kind: 'website', device: 'website' }),
    randomBytes,
    log: (line) => log.push(line),
    connections: { post: async () => 'gone', close: async () => {} },
  };
  return {
    hub,
    db,
    log,
    call: (operation, { account, room, host, conversation }, input) =>
      execute(hub, {
        operation,
        input,
        bearer: account,
        room,
        caller: host && conversation ? { host, conversation } : undefined,
      }),
    shiftMs: (ms) => {
      shift += ms;
    },
    newId: (prefix) => mintId(prefix, Date.now(), randomBytes(10)),
    async close() {
      client.destroy();
      await db.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
