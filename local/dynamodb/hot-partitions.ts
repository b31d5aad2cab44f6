// Units per partition key: DynamoDB gives one partition 1,000 write and 3,000 read units a second.

import { itemBytes } from './item-size.ts';
import { objectOf } from './json.ts';
import type { Member } from './members.ts';
import type { Consumption } from './metering.ts';

const maxPartitions = 10_000;

/** One partition's units since the start, and those of its busiest second. */
export interface PartitionUnits extends Consumption {
  tableName: string;
  partition: string;
  peakReads: number;
  peakWrites: number;
}

interface Tracked extends PartitionUnits {
  second: number;
  secondReads: number;
  secondWrites: number;
}

export interface HotPartitions {
  /** The partitions with the most units, hottest first. */
  hottest(count: number): PartitionUnits[];
  /** Shares a call's units out among its members' partitions, by the size of what they put. */
  record(members: readonly Member[], consumption: Consumption): void;
}

export function createHotPartitions(): HotPartitions {
  let partitions = new Map<string, Tracked>();

  function byHeat(): Tracked[] {
    return [...partitions.values()].sort((a, b) => b.reads + b.writes - (a.reads + a.writes));
  }

  function find(tableName: string, partition: string): Tracked {
    const id = JSON.stringify([tableName, partition]);
    const found = partitions.get(id);
    if (found !== undefined) return found;
    // A long run touches a partition per message: only the hotter half is worth remembering.
    if (partitions.size >= maxPartitions) {
      const kept = byHeat().slice(0, maxPartitions / 2);
      partitions = new Map(
        kept.map((one) => [JSON.stringify([one.tableName, one.partition]), one]),
      );
    }
    const zero = { reads: 0, writes: 0, peakReads: 0, peakWrites: 0 };
    const made = { tableName, partition, ...zero, second: 0, secondReads: 0, secondWrites: 0 };
    partitions.set(id, made);
    return made;
  }

  return {
    hottest: (count) =>
      byHeat()
        .slice(0, count)
        .map(({ tableName, partition, reads, writes, peakReads, peakWrites }) => ({
          ...{ tableName, partition, reads, writes, peakReads, peakWrites },
        })),
    record(members, { reads, writes }) {
      const weights = members.map(weight);
      const whole = weights.reduce((sum, one) => sum + one, 0);
      for (const [position, { tableName, partition }] of members.entries()) {
        if (tableName === undefined || partition === undefined) continue;
        const share = (weights[position] ?? 0) / whole;
        add(find(tableName, partition), reads * share, writes * share);
      }
    },
  };
}

function weight({ source }: Member): number {
  return Math.max(1, Math.ceil(itemBytes(objectOf(source['Item'])) / 1024));
}

function add(tracked: Tracked, reads: number, writes: number): void {
  const second = Math.floor(performance.now() / 1000);
  if (second !== tracked.second)
    Object.assign(tracked, { second, secondReads: 0, secondWrites: 0 });
  tracked.reads += reads;
  tracked.writes += writes;
  tracked.secondReads += reads;
  tracked.secondWrites += writes;
  tracked.peakReads = Math.max(tracked.peakReads, tracked.secondReads);
  tracked.peakWrites = Math.max(tracked.peakWrites, tracked.secondWrites);
}
