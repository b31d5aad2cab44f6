// How long a send takes, alone and in company, on this machine and as on AWS.
import { startTestHub } from '../functions/testing/test-hub.ts';
import type { LockedShare } from '../local/dynamodb/index.ts';
import { type SeededRoom, seedRoom } from './seed.ts';
import { type Pair, pairsOf, type Rush, sendAtOnce, slowTime } from './senders.ts';

/** What stands between the Hub and its table. */
export interface Storage {
  readonly name: string;
  /**
   * Latencies as on AWS; `locked` is the share of them in which transactions exclude each other.
   */
  readonly latency?: { readonly locked?: LockedShare };
}

export const storages: readonly Storage[] = [
  { name: 'this machine' },
  { name: 'as on AWS', latency: {} },
  { name: 'AWS, all that overlaps conflicts', latency: { locked: { from: 0, to: 1 } } },
];

/** So many senders at the same instant, all into one room or each into a room of its own. */
export interface Company {
  readonly senders: number;
  readonly rooms: number;
  readonly members: number;
  /** How often; the figures are over all of them. */
  readonly rounds: number;
}

export const companies: readonly Company[] = [
  { senders: 1, rooms: 1, members: 50, rounds: 30 },
  { senders: 2, rooms: 1, members: 2, rounds: 20 },
  { senders: 2, rooms: 1, members: 50, rounds: 20 },
  { senders: 10, rooms: 1, members: 50, rounds: 5 },
  { senders: 50, rooms: 1, members: 50, rounds: 3 },
  { senders: 10, rooms: 50, members: 50, rounds: 5 },
  { senders: 50, rooms: 50, members: 50, rounds: 3 },
];

/** Stretches AWS's latencies and the Hub's time alike, so that this machine hardly counts. */
const slowness = 10;
const policy = { membersPerRoom: 50, bucket: { size: 1e6, refillPerMinute: 1e6 } };

/** Times are milliseconds as on AWS, or of this machine where nothing is injected. */
export async function measureCompany(
  { latency }: Storage,
  { senders, rooms, members, rounds }: Company,
): Promise<Rush> {
  const table = latency === undefined ? {} : slowTime(slowness);
  const h = await startTestHub({ policy, table });
  try {
    const seeded: SeededRoom[] = [];
    for (let room = 0; room < rooms; room += 1) {
      seeded.push(await seedRoom(h, { members, messages: 0 }));
    }
    const pairs = pairsIn(seeded, senders);
    await sendAtOnce(h, pairs.slice(0, 1));
    if (latency !== undefined) h.db.latency.set({ scale: slowness, ...latency });
    const rushes: Rush[] = [];
    while (rushes.length < rounds) rushes.push(await sendAtOnce(h, pairs));
    return average(rushes);
  } finally {
    await h.close();
  }
}

function pairsIn(rooms: readonly SeededRoom[], senders: number): readonly Pair[] {
  const [first] = rooms;
  if (rooms.length === 1 && first !== undefined) return pairsOf(first.members, senders);
  return rooms.slice(0, senders).flatMap(({ members }) => pairsOf(members, 1));
}

function average(rushes: readonly Rush[]): Rush {
  const mean = (of: (rush: Rush) => number) =>
    rushes.reduce((sum, rush) => sum + of(rush), 0) / rushes.length;
  return {
    times: rushes.flatMap(({ times }) => times),
    attempts: mean(({ attempts }) => attempts),
    requests: mean(({ requests }) => requests),
  };
}
