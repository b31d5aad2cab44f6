// Applies a transaction as no reader expects it: item after item, in any order, with pauses.
import { setTimeout as delay } from 'node:timers/promises';
import { type Json, type JsonObject, listOf } from './json.ts';
import type { Random } from './random.ts';
import { type Answer, errorName, type WireClient } from './wire.ts';

/** The transaction's conditions must have been found to hold, and its items be locked. */
export async function applyTorn(
  engine: WireClient,
  target: string,
  body: JsonObject,
  random: Random,
  maxPauseMs: number,
): Promise<Answer> {
  const { ClientRequestToken: _, ...rest } = body;
  const consumed: Json[] = [];
  let isFirst = true;
  for (const item of shuffled(listOf(body['TransactItems']), random)) {
    if (!isFirst) await delay(random() * maxPauseMs);
    isFirst = false;
    // A transaction of one: no expression needs rewriting, and it costs what it does as a part.
    const answer = await engine.call(target, { ...rest, TransactItems: [item] });
    if (errorName(answer) !== undefined) return answer;
    consumed.push(...listOf(answer.body['ConsumedCapacity']));
  }
  return { status: 200, body: { ConsumedCapacity: consumed } };
}

function shuffled(items: readonly Json[], random: Random): Json[] {
  return items
    .map((item) => ({ item, place: random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item);
}
