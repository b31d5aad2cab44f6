// DynamoDB on one machine: the engine, its tables, and the proxy that clients talk to.
import { type Arns, createArns, createArnTranslation } from './arns.ts';
import type { Authorize } from './authorization.ts';
import { type Engine, startEngine } from './engine.ts';
import { EngineError } from './engine-error.ts';
import { createExecution } from './execution.ts';
import { createFaults, type Faults } from './faults.ts';
import { createHotPartitions, type HotPartitions } from './hot-partitions.ts';
import { createLatency, type Latency } from './latency.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createProxy } from './proxy.ts';
import { type ReadStreamOptions, readStream, type StreamReading } from './stream.ts';
import { type EngineTable, ensureTable, type TableDefinition } from './tables.ts';
import { createWireClient, type WireClient } from './wire.ts';
import { startWireServer } from './wire-server.ts';

export type { Authorize } from './authorization.ts';
export type { FaultRule, Faults } from './faults.ts';
export type { PartitionUnits } from './hot-partitions.ts';
export type { Latency, LockedShare } from './latency.ts';
export type { Ledger, LedgerEntry, Measurement, Units } from './ledger.ts';
export type { ReadStreamOptions, StreamReading } from './stream.ts';
export type { StreamRecord } from './stream-record.ts';
export type { StreamViewType, TableDefinition } from './tables.ts';
export { EngineError };

export interface LocalDynamoDbOptions {
  /** Where the data is kept; made if absent. One running stack per folder. */
  folder: string;
  /** Made at the start unless they are there. */
  tables: readonly TableDefinition[];
  /** Both stand in the ARNs that clients and policies see. */
  region?: string;
  account?: string;
  /** Asked about every call; everything is allowed if absent. */
  authorize?: Authorize;
  /** Port for clients; a free one if absent. */
  port?: number;
  /** Any other engine to use instead of our own; `AWS_ENDPOINT_URL_DYNAMODB` if absent. */
  engineEndpoint?: string;
  /** Of the faults' probabilities and pauses. */
  seed?: number;
}

export interface LocalDynamoDb {
  /** For clients: `AWS_ENDPOINT_URL_DYNAMODB` of whatever shall use this DynamoDB. */
  endpoint: string;
  /** The engine behind the proxy. */
  engineEndpoint: string;
  arns: Arns;
  ledger: Ledger;
  hotPartitions: Pick<HotPartitions, 'hottest'>;
  faults: Faults;
  latency: Latency;
  /** Throws if the table has no stream. `close` ends the reading as well. */
  readStream(tableName: string, options: ReadStreamOptions): StreamReading;
  /** Deletes items whose TTL has passed, by real time; resolves to their number. */
  sweepExpired(): Promise<number>;
  /** Ends the proxy and the engine; the data stays in the folder. */
  close(): Promise<void>;
}

/** Starts everything and resolves once calls can be made. Rejects with an EngineError. */
export async function startLocalDynamoDb(options: LocalDynamoDbOptions): Promise<LocalDynamoDb> {
  const foreign = options.engineEndpoint ?? process.env['AWS_ENDPOINT_URL_DYNAMODB'];
  const own = foreign === undefined ? await startEngine({ folder: options.folder }) : undefined;
  const engineEndpoint = own?.endpoint ?? foreign ?? '';
  const engine = createWireClient(engineEndpoint);
  try {
    const tables: EngineTable[] = [];
    for (const table of options.tables) {
      const ensured = ensureTable(engine, table);
      tables.push(await (foreign === undefined ? ensured : ensured.catch(explain)));
    }
    return { engineEndpoint, ...(await startProxy(options, engine, own, tables)) };
  } catch (error) {
    engine.close();
    await own?.close();
    throw error;
  }
}

/** Of another engine than our own: it may not be there at all. */
function explain(error: unknown): never {
  const [why] = String(error instanceof Error ? error.message : error).split('\n');
  throw new EngineError(`AWS_ENDPOINT_URL_DYNAMODB names no DynamoDB that can be used: ${why}`);
}

async function startProxy(
  options: LocalDynamoDbOptions,
  engine: WireClient,
  own: Engine | undefined,
  engineTables: readonly EngineTable[],
): Promise<Omit<LocalDynamoDb, 'engineEndpoint'>> {
  const { region = 'eu-central-1', account = '000000000000', port = 0, seed = 1 } = options;
  const arns = createArns(region, account);
  const tables = new Map(engineTables.map((table) => [table.tableName, table]));
  const [ledger, hotPartitions, faults, latency] = [
    createLedger(),
    createHotPartitions(),
    createFaults(seed),
    createLatency(),
  ];
  const answer = createProxy({
    ...{ engine, tables, arns, faults, ledger, hotPartitions },
    authorize: options.authorize,
    translation: createArnTranslation(arns, engineTables),
    execute: createExecution({ engine, tables, latency, random: faults.random }),
  });
  const server = await startWireServer(port, answer);
  const closing = new AbortController();

  return {
    ...{ endpoint: server.endpoint, arns, ledger, hotPartitions, faults, latency },
    readStream(tableName, { signal, ...reading }) {
      const { streamArn: engineStreamArn, streamViewType: viewType } = tables.get(tableName) ?? {};
      if (engineStreamArn === undefined || viewType === undefined) {
        throw new Error(`The table ${tableName} has no stream.`);
      }
      const source = {
        engine,
        engineStreamArn,
        region,
        viewType,
        streamArn: arns.stream(tableName),
      };
      const signals = signal === undefined ? [closing.signal] : [closing.signal, signal];
      return readStream(source, { ...reading, signal: AbortSignal.any(signals) });
    },
    // Another engine expires items by its own means.
    sweepExpired: async () => own?.sweepExpired() ?? 0,
    async close() {
      closing.abort();
      await server.close();
      engine.close();
      await own?.close();
    },
  };
}
