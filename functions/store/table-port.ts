// What the store needs from its surroundings: the table, time, and the patience of the caller.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { TimeMs } from '../domain/room.ts';
import type { Tempo } from './pace.ts';

/** One table and the clock and dice that go with it; everything impure comes from here. */
export interface Table {
  readonly client: DynamoDBDocumentClient;
  readonly name: string;
  readonly nowMs: () => TimeMs;
  /** Uniform in [0, 1). */
  readonly random: () => number;
  readonly sleep: (ms: number) => Promise<void>;
  /** By which contenders for one room's clock spread out. */
  readonly tempo: Tempo;
}

/** Ends a loop of retries: later than this the caller is told `unavailable`. */
export interface Deadline {
  readonly atMs: TimeMs;
}

/** True while there is time for another attempt. */
export function hasTime(table: Pick<Table, 'nowMs'>, deadline: Deadline): boolean {
  return table.nowMs() < deadline.atMs;
}
