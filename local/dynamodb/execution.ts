// Carries a call out at the engine: in conflict with other calls, and as slowly as DynamoDB.
import { setTimeout as delay } from 'node:timers/promises';
import { addUnprocessed, splitBatch } from './batch-write.ts';
import { checkConditions } from './condition-check.ts';
import { refuseConflict } from './conflicts.ts';
import type { DrawnFaults } from './faults.ts';
import { createItemLocks } from './item-locks.ts';
import { textOf } from './json.ts';
import type { LatencySource, LockedShare } from './latency.ts';
import type { Member, Tables } from './members.ts';
import type { Random } from './random.ts';
import { createRequestTokens } from './request-tokens.ts';
import { applyTorn } from './torn-write.ts';
import { type Answer, errorAnswer, errorName, type WireClient } from './wire.ts';
import type { Call } from './wire-server.ts';

export interface ExecutionParts {
  engine: WireClient;
  tables: Tables;
  latency: LatencySource;
  random: Random;
}

/** One call on its way. */
interface Execution {
  call: Call;
  members: readonly Member[];
  itemIds: readonly string[];
  tear: DrawnFaults['tear'];
  latencyMs: number;
  locked: LockedShare;
  /** Waits until the call has taken as long as it should, or that share of it. */
  pace: (share?: number) => Promise<void>;
}

export type Execute = (
  call: Call,
  members: readonly Member[],
  tear: DrawnFaults['tear'],
) => Promise<Answer>;

const plainReads = new Set(['GetItem', 'BatchGetItem', 'Query', 'Scan']);
const plainWrites = new Set(['PutItem', 'UpdateItem', 'DeleteItem', 'BatchWriteItem']);

export function createExecution({ engine, tables, latency, random }: ExecutionParts): Execute {
  const locks = createItemLocks();
  const tokens = createRequestTokens();

  return async (call, members, tear) => {
    const itemIds = members.flatMap(({ itemId }) => itemId ?? []);
    const latencyMs = latency.draw(call.operation);
    const timing = { latencyMs, locked: latency.locked(), pace: createPace(latencyMs) };
    const execution = { call, members, itemIds, tear, ...timing };
    if (call.operation === 'TransactWriteItems') return once(execution);
    return unlessRefused(execution, () => applyAtOnce(execution));
  };

  /** A transaction whose token is known is not one more transaction. */
  async function once(execution: Execution): Promise<Answer> {
    const { call, pace } = execution;
    const token = textOf(call.body['ClientRequestToken']);
    if (token === undefined) return transact(execution);
    if (tokens.isInFlight(token)) {
      return errorAnswer('TransactionInProgressException', 'The transaction is still in progress.');
    }
    const done = tokens.done(token);
    if (done !== undefined) {
      const answer = done.answer ?? (await engine.call(call.target, call.body));
      await pace();
      return answer;
    }
    tokens.start(token);
    try {
      const answer = await transact(execution);
      if (errorName(answer) === undefined) tokens.succeed(token, execution.tear && answer);
      return answer;
    } finally {
      tokens.end(token);
    }
  }

  async function unlessRefused(
    { call, members, itemIds, pace }: Execution,
    work: () => Promise<Answer>,
  ): Promise<Answer> {
    // Each decision may be followed by another transaction's: only then nothing is pending.
    for (let next = locks.decision(itemIds); next; next = locks.decision(itemIds)) await next;
    const refusal = refuseConflict(call.operation, members, locks);
    if (refusal === undefined) return work();
    await pace();
    return refusal;
  }

  async function transact(execution: Execution): Promise<Answer> {
    const { locked, pace } = execution;
    await pace(locked.from);
    const answer = await unlessRefused(execution, () => commit(execution));
    await pace();
    return answer;
  }

  /** Items stay locked from the moment the conditions held until everything is applied. */
  async function commit(execution: Execution): Promise<Answer> {
    const { call, members, itemIds, tear, latencyMs, locked, pace } = execution;
    const isSlow = latencyMs > 0 || tear !== undefined;
    const hold = isSlow ? locks.holdUndecided(itemIds) : locks.hold(itemIds, 'transaction');
    try {
      const failure = isSlow ? await checkConditions(engine, members, tables) : undefined;
      if (failure !== undefined) return failure;
      hold.confirm();
      await pace(locked.to);
      if (tear === undefined) return await engine.call(call.target, call.body);
      return await applyTorn(engine, call.target, call.body, random, tear.maxPauseMs);
    } finally {
      hold.release();
    }
  }

  async function applyAtOnce({ call, members, itemIds, pace }: Execution): Promise<Answer> {
    const hold = locks.hold(plainWrites.has(call.operation) ? itemIds : [], 'write');
    try {
      // What is read is as old as the way back. Writes apply while nothing has locked their items.
      if (plainReads.has(call.operation)) await pace(0.5);
      const answer = await forward(call, members);
      await pace();
      return answer;
    } finally {
      hold.release();
    }
  }

  async function forward(call: Call, members: readonly Member[]): Promise<Answer> {
    if (call.operation !== 'BatchWriteItem') return engine.call(call.target, call.body);
    const isHeld = ({ itemId }: Member) =>
      itemId !== undefined && locks.isHeld(itemId, 'transaction');
    if (!members.some(isHeld)) return engine.call(call.target, call.body);
    const { body, held } = splitBatch(call.body, members, isHeld);
    if (members.every(isHeld)) return { status: 200, body: { UnprocessedItems: held } };
    return addUnprocessed(await engine.call(call.target, body), held);
  }
}

function createPace(latencyMs: number): Execution['pace'] {
  const startedAtMs = performance.now();
  return async (share = 1) => {
    const restMs = startedAtMs + share * latencyMs - performance.now();
    if (latencyMs > 0 && restMs > 0) await delay(restMs);
  };
}
