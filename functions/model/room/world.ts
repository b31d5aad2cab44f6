// A Hub on a table in memory, in a world where every call waits its turn: fast-check's scheduler
// decides which of them happens next, and a seed decides what goes wrong with it.
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type * as fc from 'fast-check';
import { PolicyEnv } from '../../env.ts';
import type { Hub, LogLine } from '../../operations/hub.ts';
import { policyFrom } from '../../policy.ts';
import { createTempo } from '../../store/pace.ts';
import type { Table } from '../../store/table-port.ts';
import { unanswered } from '../dynamodb/failures.ts';
import {
  type Answer,
  createMemoryClient,
  instantCalls,
  transactWrite,
} from '../dynamodb/memory-client.ts';
import { createMemoryTable, type Decided, type MemoryTable } from '../dynamodb/memory-table.ts';
import { TransactWrite } from '../dynamodb/requests.ts';

/** Shares of calls, 0 to 1. */
export interface Chaos {
  /** Transactions that become visible in parts. */
  readonly torn: number;
  /** Most turns that pass before one more item of theirs is there. */
  readonly tornTurns: number;
  /** Calls whose answer is lost; the SDK then repeats them as they were. */
  readonly lost: number;
  /** Lost answers of transactions that are still under way when they are repeated. */
  readonly slow: number;
}

export const calm: Chaos = { torn: 0, tornTurns: 0, lost: 0, slow: 0 };

/** The SDK's patience with one call. */
const sdkAttempts = 3;
/** A call takes up to so many milliseconds of the world's time. */
const callMs = 4;

export interface World {
  readonly table: MemoryTable;
  readonly faults: readonly LogLine[];
  /** Commits before this one are visible in full to whoever asks from now on. */
  settledCommits(): number;
  nowMs(): number;
  passMs(ms: number): void;
  random(): number;
  /** A Hub whose writes carry the caller's name. */
  hub(by: string): Hub;
  /** One turn: resolves when the scheduler picks it. */
  turn(label: string): Promise<void>;
  /** Runs side by side with chaos, until all is done and visible. */
  run(work: readonly (() => Promise<void>)[]): Promise<void>;
}

/** Where a world begins. */
export type Beginning = Pick<World, 'table' | 'nowMs'>;

/** Clients are costly to make and worlds are many, but only one of them is at work at a time. */
const clients = new Map<string, { answer: Answer; readonly client: DynamoDBDocumentClient }>();

function clientOf(by: string, answer: Answer): DynamoDBDocumentClient {
  const known = clients.get(by) ?? {
    answer,
    client: createMemoryClient((operation, input) =>
      (clients.get(by)?.answer ?? answer)(operation, input),
    ),
  };
  known.answer = answer;
  clients.set(by, known);
  return known.client;
}

export function createWorld(
  scheduler: fc.Scheduler | undefined,
  seed: number,
  chaos: Chaos,
  beginning?: Beginning,
): World {
  const table = createMemoryTable(beginning?.table);
  const hubs = new Map<string, Hub>();
  const random = randomOf(seed);
  const faults: LogLine[] = [];
  const hidden = new Set<number>();
  const background = new Set<Promise<void>>();
  let nowMs = beginning?.nowMs() ?? Date.UTC(2026, 0, 1);
  let isScheduled = false;

  async function turn(label: string): Promise<void> {
    if (isScheduled) await scheduler?.schedule(Promise.resolve(), label);
  }

  const happens = (share: number) => isScheduled && random() < share;

  /** What the SDK does with one call: it is repeated, as it was, while no answer comes. */
  async function call(by: string, operation: string, input: unknown): Promise<object> {
    for (let attempt = 1; ; attempt += 1) {
      await turn(`${by} ${operation}`);
      nowMs += Math.floor(random() * callMs);
      const outcome = await attemptOnce(by, operation, input);
      if (!happens(chaos.lost)) return outcome();
      if (attempt === sdkAttempts) throw unanswered();
    }
  }

  /** Carries a call out; the outcome gives or throws what the service answers. */
  async function attemptOnce(by: string, operation: string, input: unknown) {
    try {
      const answer =
        operation === transactWrite ? await transact(by, input) : instantly(by, operation, input);
      return () => answer;
    } catch (error) {
      return () => {
        throw error;
      };
    }
  }

  function instantly(by: string, operation: string, input: unknown): object {
    const answer = instantCalls[operation]?.(table, by, input);
    if (answer === undefined) throw new Error(`the model has no ${operation}`);
    return answer;
  }

  async function transact(by: string, input: unknown): Promise<object> {
    const decided = table.decide(by, TransactWrite.parse(input));
    if (decided === undefined) return {};
    const commit = table.commits.length - 1;
    hidden.add(commit);
    const visible = show(by, decided).finally(() => hidden.delete(commit));
    if (!happens(chaos.slow)) {
      await visible;
      return {};
    }
    const rest = visible.finally(() => background.delete(rest));
    background.add(rest);
    throw unanswered();
  }

  /** Makes a transaction visible: at once, or in a few parts of any order. */
  async function show(by: string, { steps, finish }: Decided): Promise<void> {
    const isTorn = happens(chaos.torn);
    const mostTurns = isTorn ? Math.floor(random() * (chaos.tornTurns + 1)) : 0;
    for (const step of isTorn ? shuffled(steps, random) : steps) {
      const turns = Math.floor(random() * (mostTurns + 1));
      for (let taken = 0; taken < turns; taken += 1) await turn(`${by} becomes visible`);
      step();
    }
    finish();
  }

  async function sleep(ms: number): Promise<void> {
    const wakesAt = nowMs + ms;
    await turn('sleep');
    nowMs = Math.max(nowMs, Math.ceil(wakesAt));
  }

  function makeHub(by: string): Hub {
    const port: Table = {
      client: clientOf(by, (operation, input) => call(by, operation, input)),
      name: 'hub',
      nowMs: () => nowMs,
      random,
      sleep,
      tempo: createTempo(),
    };
    return {
      table: port,
      policy: { ...policyFrom(PolicyEnv.parse({})), retentionDays: 1 },
      authenticate: async (account) => ({ account, kind: 'website', device: 'website' }),
      randomBytes: (count) => Uint8Array.from({ length: count }, () => Math.floor(random() * 256)),
      log: (line) => {
        if (line.level === 'error') faults.push(line);
      },
      connections: { post: async () => 'gone', close: async () => {} },
    };
  }

  return {
    table,
    faults,
    settledCommits: () => Math.min(table.commits.length, ...hidden),
    nowMs: () => nowMs,
    passMs: (ms) => {
      nowMs += ms;
    },
    random,
    hub(by) {
      const known = hubs.get(by) ?? makeHub(by);
      hubs.set(by, known);
      return known;
    },
    turn,
    async run(work) {
      isScheduled = true;
      try {
        await scheduler?.waitFor(Promise.all(work.map((each) => each())));
        while (background.size > 0) await scheduler?.waitFor(Promise.all(background));
      } finally {
        isScheduled = false;
      }
    },
  };
}

/** Repeatable dice: splitmix32. */
export function randomOf(seed: number): () => number {
  let state = seed | 0;
  return () => {
    state = (state + 0x9e3779b9) | 0;
    let mixed = state ^ (state >>> 16);
    mixed = Math.imul(mixed, 0x21f0aaad);
    mixed ^= mixed >>> 15;
    mixed = Math.imul(mixed, 0x735a2d97);
    return ((mixed ^ (mixed >>> 15)) >>> 0) / 2 ** 32;
  };
}

function shuffled<Element>(elements: readonly Element[], random: () => number): Element[] {
  return elements
    .map((element) => ({ element, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ element }) => element);
}
