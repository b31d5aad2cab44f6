// The unit ledger: what every call through the proxy cost, in DynamoDB's own units.

/** One call's cost. */
export interface LedgerEntry {
  principal: string;
  operation: string;
  reads: number;
  writes: number;
  /** Name of its error; absent for a success. */
  error?: string;
}

/** A sum of costs; `calls` is how many calls it adds up. */
export interface Units {
  reads: number;
  writes: number;
  calls: number;
}

export interface Measurement<T> {
  reads: number;
  writes: number;
  calls: LedgerEntry[];
  result: T;
}

export interface Ledger {
  /** Everything since the start. */
  total(): Units;
  /** The same, per principal and operation. */
  rows(): (Units & { principal: string; operation: string })[];
  /** What the calls cost that are answered while `work` runs, whoever makes them. */
  measure<T>(work: () => Promise<T>): Promise<Measurement<T>>;
}

export interface LedgerWriter extends Ledger {
  record(entry: LedgerEntry): void;
}

export function createLedger(): LedgerWriter {
  const rows = new Map<string, Units & { principal: string; operation: string }>();
  const measuring = new Set<LedgerEntry[]>();
  const empty = { reads: 0, writes: 0, calls: 0 };

  return {
    record(entry) {
      const { principal, operation } = entry;
      const id = `${principal}\n${operation}`;
      rows.set(id, { principal, operation, ...add(rows.get(id) ?? empty, entry, 1) });
      for (const calls of measuring) calls.push(entry);
    },
    total: () => [...rows.values()].reduce((sum, row) => add(sum, row, row.calls), empty),
    rows: () => [...rows.values()],
    async measure(work) {
      const calls: LedgerEntry[] = [];
      measuring.add(calls);
      try {
        const result = await work();
        const { reads, writes } = calls.reduce((sum, call) => add(sum, call, 1), empty);
        return { reads, writes, calls, result };
      } finally {
        measuring.delete(calls);
      }
    },
  };
}

function add(sum: Units, cost: { reads: number; writes: number }, calls: number): Units {
  return {
    reads: sum.reads + cost.reads,
    writes: sum.writes + cost.writes,
    calls: sum.calls + calls,
  };
}
