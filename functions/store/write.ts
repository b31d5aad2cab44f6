// Writes with patience: what passes by itself is tried again until the caller's deadline.
import { randomUUID } from 'node:crypto';
import { TransactWriteCommand, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { HubError } from '../../protocol/errors.ts';
import { type Condition, existing, updateOf, type Write } from './expressions.ts';
import {
  isPassing,
  isPassingRefusal,
  type RawItem,
  type Refusal,
  refusalsOf,
  refusedCondition,
} from './failures.ts';
import type { Key } from './keys.ts';
import { type Deadline, hasTime, type Table } from './table-port.ts';

/** Full jitter for writes that meet on an item other than a room's clock. */
const firstRetryMs = 10;
const lastRetryMs = 400;

/** Waits before attempt `attempt` (1 = first repeat). */
export async function backOff(table: Table, attempt: number): Promise<void> {
  await table.sleep(table.random() * Math.min(lastRetryMs, firstRetryMs * 2 ** attempt));
}

/**
 * Runs a transaction once and says which members were refused; an empty map is a commit.
 *
 * An answer that was lost is asked for again under the same request token: DynamoDB then tells the
 * first outcome instead of applying the writes twice. Only when the deadline ends that does the
 * error come out.
 */
export async function transactOnce(
  table: Table,
  deadline: Deadline,
  writes: readonly Write[],
  token: string = randomUUID(),
): Promise<ReadonlyMap<string, Refusal>> {
  const command = new TransactWriteCommand({
    TransactItems: writes.map((write) => write.member(table.name)),
    ClientRequestToken: token,
  });
  for (let attempt = 1; ; attempt += 1) {
    const startedMs = table.nowMs();
    try {
      await table.client.send(command);
      table.tempo.note(table.nowMs() - startedMs);
      return new Map();
    } catch (error) {
      const refusals = refusalsOf(error);
      if (refusals !== undefined) {
        // A refusal takes as long as a commit.
        table.tempo.note(table.nowMs() - startedMs);
        return byName(writes, refusals);
      }
      if (!isPassing(error) || !hasTime(table, deadline)) throw error;
      await backOff(table, attempt);
    }
  }
}

function byName(
  writes: readonly Write[],
  refusals: readonly Refusal[],
): ReadonlyMap<string, Refusal> {
  const refused = new Map<string, Refusal>();
  for (const [index, refusal] of refusals.entries()) {
    const write = writes[index];
    if (write !== undefined && refusal.code !== 'None') refused.set(write.name, refusal);
  }
  return refused;
}

/**
 * Like `transactOnce`, but conflicts and throttling are waited out: only refused conditions remain.
 * Throws `unavailable` if the deadline ends before, for they say nothing about conditions.
 *
 * All tries go under one token, which only a commit uses up: one whose answer was lost may be
 * followed by a conflict, and the try after that would otherwise meet its own write.
 */
export async function transact(
  table: Table,
  deadline: Deadline,
  writes: readonly Write[],
): Promise<ReadonlyMap<string, Refusal>> {
  const token = randomUUID();
  for (let attempt = 1; ; attempt += 1) {
    const refused = await transactOnce(table, deadline, writes, token);
    const conditions = [...refused].filter(([, refusal]) => !isPassingRefusal(refusal));
    if (refused.size === 0 || conditions.length > 0) return new Map(conditions);
    if (!hasTime(table, deadline)) {
      throw new HubError('unavailable', 'the Hub is too busy right now');
    }
    await backOff(table, attempt);
  }
}

/**
 * Updates one existing item. Gives the new item, or what the refused condition saw (undefined item:
 * there is none). The SDK does not repeat a TransactionConflict of a plain write: this does.
 */
export async function updateItem(
  table: Table,
  deadline: Deadline,
  key: Key,
  assignments: Parameters<typeof updateOf>[0],
  condition?: Condition,
): Promise<{ readonly item: RawItem } | { readonly refused: RawItem | undefined }> {
  const command = new UpdateCommand({
    TableName: table.name,
    Key: key,
    ...updateOf(assignments, existing(condition)),
    ReturnValues: 'ALL_NEW',
    ReturnValuesOnConditionCheckFailure: 'ALL_OLD',
  });
  for (let attempt = 1; ; attempt += 1) {
    try {
      const { Attributes = {} } = await table.client.send(command);
      return { item: Attributes };
    } catch (error) {
      const refused = refusedCondition(error);
      if (refused !== undefined) return { refused: refused.item };
      if (!isPassing(error) || !hasTime(table, deadline)) throw error;
      await backOff(table, attempt);
    }
  }
}
