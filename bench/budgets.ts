// What operations may cost, in DynamoDB units of calls that meet no other. One table: the test of
// budgets holds it, the bench prints it beside what was measured.
//
// Reads are strongly consistent. On top come the credential's own read (one unit, none for a
// website token), what the recipients' presence costs after a send, and one write where
// `lastActiveAt` alone is moved, at most once a minute.

/** DynamoDB's request units: writes by started KB, doubled in a transaction; reads by 4 KB. */
export interface Units {
  readonly writes: number;
  readonly reads: number;
}

const free: Units = { writes: 0, reads: 0 };

/** Sums units. */
export function plus(...all: readonly Units[]): Units {
  return all.reduce(
    (sum, one) => ({ writes: sum.writes + one.writes, reads: sum.reads + one.reads }),
    free,
  );
}

export const times = (count: number, { writes, reads }: Units): Units => ({
  writes: count * writes,
  reads: count * reads,
});

const first: Units = { writes: 8, reads: 4 };
const furtherRecipient: Units = { writes: 0, reads: 1 };
const furtherKb: Units = { writes: 2, reads: 0 };

/** Headers of the log that one read unit covers at the least. */
const headersPerRead = 12;

/** Units allowed, by operation and by what it handles. */
export const budgets = {
  /** `named` recipients, 0 for the room; `storedKb`: the message as stored, started KBs. */
  send: ({ named = 1, storedKb = 1 }: { named?: number; storedKb?: number } = {}): Units =>
    plus(first, times(Math.max(0, named - 1), furtherRecipient), times(storedKb - 1, furtherKb)),
  /** On top of its send. `originalBytes`: the message answered, as stored. */
  reply: ({ originalBytes }: { originalBytes: number }): Units => ({
    writes: 2,
    reads: Math.ceil(originalBytes / 4096),
  }),
  sendLongText: (): Units => ({ writes: 62, reads: first.reads }),
  read: (): Units => ({ writes: 1, reads: 2 }),
  /** `headers` walked to find `messages` of at most 1 KB that name `named` members. */
  inbox: (batch: Batch & { readonly tier: 'push' | 'pull' }): Units => ({
    writes: batch.tier === 'pull' ? 2 : 0,
    reads: 3 + batch.messages + Math.ceil(batch.headers / headersPerRead) + batch.named,
  }),
  /** A page looks at fifty headers at a time. */
  history: (page: Batch): Units => ({
    writes: 0,
    reads: 2 + page.messages + Math.ceil(page.headers / headersPerRead) + page.named,
  }),
  /** An intro of at most 500 B; its reads follow what it returns. */
  join: (): Units => ({ writes: 20, reads: Number.POSITIVE_INFINITY }),
  /** What a member that was not heard of for a minute costs on top. */
  lastActive: (): Units => ({ writes: 1, reads: 0 }),
} as const;

interface Batch {
  readonly messages: number;
  readonly headers: number;
  readonly named: number;
}

/** How 50 senders into one room at the same instant must fare, with latencies as on AWS. */
export const contention = {
  senders: 50,
  p99Ms: 1_600,
  /** On average, for each send. */
  attempts: 5,
} as const;

/**
 * Load time of the http function as a multiple of a handler with nothing but the SDK. Most of what
 * it takes more is zod and its schemas. A machine of two cores shows 1.3 to 1.6.
 */
export const loadTimeRatio = {
  target: 1.3,
  /** Held by a test, with a margin for what else the machine does. */
  atMost: 2,
} as const;
