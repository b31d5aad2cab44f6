// DynamoDB on one machine: the engine, its tables, and the proxy that clients talk to.
import { startEngine } from './engine.ts';
import { createLedger, type Ledger } from './ledger.ts';
import { createProxy } from './proxy.ts';
import { ensureTable, type TableDefinition } from './tables.ts';
import { createWireClient } from './wire.ts';
import { startWireServer } from './wire-server.ts';

export { EngineError } from './engine-error.ts';
export type { Ledger, LedgerEntry, Measurement, Units } from './ledger.ts';
export type { StreamViewType, TableDefinition } from './tables.ts';

export interface LocalDynamoDbOptions {
  /** Where the data is kept; made if absent. One running stack per folder. */
  folder: string;
  /** Made at the start unless they are there. */
  tables: TableDefinition[];
  /** Port for clients; a free one if absent. */
  port?: number;
  /** Any other engine to use instead of our own; `AWS_ENDPOINT_URL_DYNAMODB` if absent. */
  engineEndpoint?: string;
}

export interface LocalDynamoDb {
  /** For clients: `AWS_ENDPOINT_URL_DYNAMODB` of whatever shall use this DynamoDB. */
  endpoint: string;
  /** The engine behind the proxy. */
  engineEndpoint: string;
  ledger: Ledger;
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
    for (const table of options.tables) await ensureTable(engine, table);
    const ledger = createLedger();
    const server = await startWireServer(options.port ?? 0, createProxy({ engine, ledger }));
    return {
      endpoint: server.endpoint,
      engineEndpoint,
      ledger,
      // Another engine expires items by its own means.
      sweepExpired: async () => own?.sweepExpired() ?? 0,
      async close() {
        await server.close();
        engine.close();
        await own?.close();
      },
    };
  } catch (error) {
    engine.close();
    await own?.close();
    throw error;
  }
}
