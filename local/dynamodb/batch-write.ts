// BatchWriteItem beside transactions: requests for held items come back as unprocessed.
import { type JsonObject, listOf, objectOf } from './json.ts';
import type { Member } from './members.ts';
import type { Answer } from './wire.ts';

/** A batch's request without the parts that must wait, and those parts; both by table. */
export interface SplitBatch {
  body: JsonObject;
  held: JsonObject;
}

/** `members` are the batch's, in its order. */
export function splitBatch(
  body: JsonObject,
  members: readonly Member[],
  isHeld: (member: Member) => boolean,
): SplitBatch {
  let position = 0;
  const free: JsonObject = {};
  const held: JsonObject = {};
  for (const [tableName, requests] of Object.entries(objectOf(body['RequestItems']))) {
    const groups = Object.groupBy(listOf(requests), () => {
      const member = members[position];
      position += 1;
      return member !== undefined && isHeld(member) ? 'held' : 'free';
    });
    if (groups.free !== undefined) free[tableName] = groups.free;
    if (groups.held !== undefined) held[tableName] = groups.held;
  }
  return { body: { ...body, RequestItems: free }, held };
}

/** The answer with the parts that were kept back added to what the engine left undone. */
export function addUnprocessed(answer: Answer, held: JsonObject): Answer {
  if (answer.status >= 400) return answer;
  const unprocessed = { ...objectOf(answer.body['UnprocessedItems']) };
  for (const [tableName, requests] of Object.entries(held)) {
    unprocessed[tableName] = [...listOf(unprocessed[tableName]), ...listOf(requests)];
  }
  return { ...answer, body: { ...answer.body, UnprocessedItems: unprocessed } };
}
