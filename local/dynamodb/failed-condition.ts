// What a failed condition costs: DynamoDB charges the write and reports nothing, so the items in
// question are asked for and measured here.
import { itemBytes } from './item-size.ts';
import { type Json, type JsonObject, listOf, objectOf } from './json.ts';
import { type Answer, errorName } from './wire.ts';

const wish = 'ReturnValuesOnConditionCheckFailure';
const singleWrites = new Set(['PutItem', 'UpdateItem', 'DeleteItem']);

/** The request with the old item of every failed condition asked for. */
export function askOldItems(operation: string, body: JsonObject): JsonObject {
  if (singleWrites.has(operation)) return asking(body);
  if (operation !== 'TransactWriteItems') return body;
  return { ...body, TransactItems: listOf(body['TransactItems']).map(askingInside) };
}

function askingInside(item: Json): JsonObject {
  const members = Object.entries(objectOf(item));
  return Object.fromEntries(members.map(([kind, member]) => [kind, asking(objectOf(member))]));
}

function asking(member: JsonObject): JsonObject {
  return member['ConditionExpression'] === undefined ? member : { ...member, [wish]: 'ALL_OLD' };
}

/** The answer without the old items that the client did not ask for. `sources`: its members. */
export function hideOldItems(sources: readonly JsonObject[], answer: Answer): Answer {
  const { Item, CancellationReasons, ...body } = answer.body;
  if (errorName(answer) === 'ConditionalCheckFailedException') {
    return isWished(sources[0]) ? answer : { ...answer, body };
  }
  if (errorName(answer) !== 'TransactionCanceledException') return answer;
  const shown = listOf(CancellationReasons).map((reason, position) => {
    const { Item: _, ...rest } = objectOf(reason);
    return isWished(sources[position]) ? reason : rest;
  });
  return { ...answer, body: { ...body, CancellationReasons: shown } };
}

function isWished(source: JsonObject | undefined): boolean {
  return source?.[wish] === 'ALL_OLD';
}

/**
 * Write units of a call whose condition failed, else 0. The larger of the item there and the item
 * put, by started KB; in a transaction twice that for every member, where a member whose item is
 * not known counts as 1 KB.
 */
export function failureCost(sources: readonly JsonObject[], answer: Answer): number {
  if (errorName(answer) === 'ConditionalCheckFailedException') {
    return units(sources[0], answer.body['Item']);
  }
  const reasons = listOf(answer.body['CancellationReasons']).map(objectOf);
  if (!reasons.some(({ Code }) => Code === 'ConditionalCheckFailed')) return 0;
  return sources.reduce(
    (sum, source, position) => sum + 2 * units(source, reasons[position]?.['Item']),
    0,
  );
}

function units(source: JsonObject | undefined, oldItem: Json | undefined): number {
  const bytes = [source?.['Item'], oldItem].map((item) => itemBytes(objectOf(item)));
  return Math.max(1, Math.ceil(Math.max(...bytes) / 1024));
}
