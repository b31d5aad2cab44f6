// Members that send at the same instant: how long each waits, and what it takes.
import type { Table } from '../functions/store/table-port.ts';
import type { TestHub } from '../functions/testing/test-hub.ts';
import type { SeededMember } from './seed.ts';

/** What became of one send each. */
export interface Rush {
  /** From the call to its answer, one for each sender; milliseconds of the Hub's time. */
  readonly times: readonly number[];
  /** Transactions and all requests, on average for a send. */
  readonly attempts: number;
  readonly requests: number;
}

/** A sender and the member it writes to. */
export type Pair = readonly [from: SeededMember, to: SeededMember];

/** Every pair's first sends one message; rejects if any of them is refused. */
export async function sendAtOnce(h: TestHub, pairs: readonly Pair[]): Promise<Rush> {
  const { calls, result: times } = await h.db.ledger.measure(() =>
    Promise.all(pairs.map((pair) => send(h, pair))),
  );
  const transactions = calls.filter(({ operation }) => operation === 'TransactWriteItems');
  return {
    times,
    attempts: transactions.length / pairs.length,
    requests: calls.length / pairs.length,
  };
}

async function send(h: TestHub, [from, to]: Pair): Promise<number> {
  const startedMs = h.hub.table.nowMs();
  await h.call('send', from, { id: h.newId('m_'), to: [to.address], body: 'all at once' });
  return h.hub.table.nowMs() - startedMs;
}

/** The first `senders` members, each writing to the one after it. */
export function pairsOf(members: readonly SeededMember[], senders: number): readonly Pair[] {
  return members.slice(0, senders).map((from, index) => {
    const to = members[(index + 1) % members.length] ?? from;
    return [from, to];
  });
}

/**
 * A Hub's time that passes so many times as slowly as this machine's. With storage slowed down by
 * as much, what the machine itself takes counts for little, and a busy one does not exhaust
 * patience.
 */
export function slowTime(factor: number): Pick<Table, 'nowMs' | 'sleep'> {
  const startedMs = Date.now();
  return {
    nowMs: () => startedMs + Math.floor((Date.now() - startedMs) / factor),
    sleep: (ms) => new Promise((resolve) => setTimeout(resolve, ms * factor)),
  };
}
