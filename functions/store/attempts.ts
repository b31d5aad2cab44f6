// Counts of what may be done only so often: wrong codes, sign-ins from one address.
import { PutCommand } from '@aws-sdk/lib-dynamodb';
import { refusedCondition } from './failures.ts';
import { parseAttempts } from './items.ts';
import { type Key, keys, secretHash } from './keys.ts';
import type { Deadline, Table } from './table-port.ts';
import { updateItem } from './write.ts';

/** At most `limit` in any window of `windowMs` that begins with its first attempt. */
export interface AttemptLimit {
  readonly limit: number;
  readonly windowMs: number;
}

/** Where the attempts of someone at something are counted; who it is, is kept as a hash. */
export function attemptsOf(what: string, who: string): Key {
  return keys.authRecord('Attempts', secretHash(`${what} ${who}`));
}

/**
 * Counts an attempt and gives undefined; or, if the window's limit was reached already, the ms
 * until it ends: then nothing was counted. The condition makes the limit hold for any number at
 * once.
 */
export async function countAttempt(
  table: Table,
  deadline: Deadline,
  key: Key,
  { limit, windowMs }: AttemptLimit,
): Promise<number | undefined> {
  const nowMs = table.nowMs();
  const counted = await updateItem(
    table,
    deadline,
    key,
    { add: { count: 1 } },
    {
      expression: '#count < :limit AND windowStart > :oldest',
      values: { ':limit': limit, ':oldest': nowMs - windowMs },
    },
  );
  if ('item' in counted) return undefined;
  const running = counted.refused === undefined ? undefined : parseAttempts(counted.refused);
  if (running !== undefined && running.windowStart > nowMs - windowMs) {
    return running.windowStart + windowMs - nowMs;
  }
  if (await startWindow(table, key, running?.windowStart, nowMs, windowMs)) return undefined;
  return countAttempt(table, deadline, key, { limit, windowMs });
}

/** Takes an attempt back that turned out to be none. */
export async function uncountAttempt(table: Table, deadline: Deadline, key: Key): Promise<void> {
  await updateItem(
    table,
    deadline,
    key,
    { add: { count: -1 } },
    { expression: '#count > :none', values: { ':none': 0 } },
  );
}

/** Opens a window with this attempt as its first; false if another call was quicker. */
async function startWindow(
  table: Table,
  key: Key,
  before: number | undefined,
  nowMs: number,
  windowMs: number,
): Promise<boolean> {
  const condition =
    before === undefined
      ? { ConditionExpression: 'attribute_not_exists(pk)' }
      : {
          ConditionExpression: 'windowStart = :before',
          ExpressionAttributeValues: { ':before': before },
        };
  try {
    await table.client.send(
      new PutCommand({
        TableName: table.name,
        Item: {
          ...key,
          count: 1,
          windowStart: nowMs,
          expiresAt: Math.ceil((nowMs + windowMs) / 1000),
        },
        ...condition,
      }),
    );
    return true;
  } catch (error) {
    if (refusedCondition(error) !== undefined) return false;
    throw error;
  }
}
