// How long DynamoDB takes: latencies with the shape measured from Lambda in one region.
import { createRandom, type Random } from './random.ts';

/** Milliseconds at a share of all calls, in order: half of them take at most that of 0.5. */
type Quantiles = readonly (readonly [share: number, ms: number])[];

const read: Quantiles = [
  [0, 2.6],
  [0.5, 4],
  [0.9, 6.2],
  [0.99, 9.4],
  [1, 18],
];
const write: Quantiles = [
  [0, 5.5],
  [0.5, 7.6],
  [0.9, 11.3],
  [0.99, 16.2],
  [1, 29],
];
const transaction: Quantiles = [
  [0, 19.4],
  [0.5, 25.3],
  [0.9, 30.7],
  [0.99, 92.5],
  [1, 218],
];
const shapes: Record<string, Quantiles> = {
  GetItem: read,
  BatchGetItem: read,
  Query: read,
  Scan: read,
  PutItem: write,
  UpdateItem: write,
  DeleteItem: write,
  BatchWriteItem: write,
  TransactGetItems: transaction,
  TransactWriteItems: transaction,
};

/** Shares of a transaction's latency between which its items are locked. */
export interface LockedShare {
  from: number;
  to: number;
}

/**
 * The coordinator of a transaction writes its own ledger first, then prepares and commits the
 * items, and only then completes and answers. Where exactly is not published: an assumption.
 */
const usuallyLocked: LockedShare = { from: 0.25, to: 0.8 };

/** The switch for injected latency; off at the start. */
export interface Latency {
  /**
   * `scale` 1 is AWS's own. The same seed gives the same sequence of latencies. `locked` from 0 to
   * 1 is the worst there can be: whatever overlaps is in conflict.
   */
  set(setting: { scale: number; seed?: number; locked?: LockedShare }): void;
  off(): void;
}

export interface LatencySource extends Latency {
  /** For transactions that start now. */
  locked(): LockedShare;
  /** Milliseconds for the next call of this operation; 0 when off or not modelled. */
  draw(operation: string): number;
}

export function createLatency(): LatencySource {
  let current: { scale: number; random: Random; locked: LockedShare } | undefined;
  return {
    set({ scale, seed = 1, locked = usuallyLocked }) {
      current = { scale, random: createRandom(seed), locked };
    },
    off() {
      current = undefined;
    },
    locked: () => current?.locked ?? usuallyLocked,
    draw(operation) {
      const shape = shapes[operation];
      if (current === undefined || shape === undefined) return 0;
      return current.scale * interpolate(shape, current.random());
    },
  };
}

function interpolate(quantiles: Quantiles, share: number): number {
  const above = quantiles.findIndex(([upTo]) => share < upTo);
  const [from, to] = [quantiles[above - 1], quantiles[above]];
  if (from === undefined || to === undefined) return 0;
  const [[fromShare, fromMs], [toShare, toMs]] = [from, to];
  return fromMs + ((share - fromShare) / (toShare - fromShare)) * (toMs - fromMs);
}
