// Evaluates the conditions of a transaction without applying it.
import { cancelled, reasons } from './cancellation.ts';
import { type JsonObject, listOf, objectOf, textOf } from './json.ts';
import type { Member, Tables } from './members.ts';
import { type Answer, dynamoDbService, errorName, type WireClient } from './wire.ts';

/** The cancellation that the transaction's conditions call for now; undefined if all hold. */
export async function checkConditions(
  engine: WireClient,
  members: readonly Member[],
  tables: Tables,
): Promise<Answer | undefined> {
  const positions = members.flatMap(({ source }, position) =>
    source['ConditionExpression'] === undefined ? [] : [position],
  );
  if (positions.length === 0) return undefined;
  const checks = positions.map((position) => {
    const { source } = members[position] ?? { source: {} };
    return { ConditionCheck: conditionOnly(source, tables) };
  });
  const answer = await engine.call(`${dynamoDbService}.TransactWriteItems`, {
    TransactItems: checks,
  });
  // Any other error is the transaction's own: the engine repeats it when it is asked to apply it.
  if (errorName(answer) !== 'TransactionCanceledException') return undefined;
  const found = listOf(answer.body['CancellationReasons']).map(objectOf);
  if (!found.some(({ Code }) => Code === 'ConditionalCheckFailed')) return undefined;
  return cancelled(
    members.map((_, position) => found[positions.indexOf(position)] ?? reasons.none),
  );
}

function conditionOnly(source: JsonObject, tables: Tables): JsonObject {
  const { TableName, ConditionExpression, ReturnValuesOnConditionCheckFailure } = source;
  // Placeholders that only the update used would be refused here as unused.
  const used = new Set(textOf(ConditionExpression)?.match(/[#:]\w+/g));
  const names = pick(objectOf(source['ExpressionAttributeNames']), used);
  const values = pick(objectOf(source['ExpressionAttributeValues']), used);
  return {
    TableName,
    Key: source['Key'] ?? keyOf(source, tables),
    ConditionExpression,
    ReturnValuesOnConditionCheckFailure,
    ...(Object.keys(names).length > 0 && { ExpressionAttributeNames: names }),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: values }),
  };
}

function keyOf(source: JsonObject, tables: Tables): JsonObject {
  const table = tables.get(textOf(source['TableName']) ?? '');
  return pick(objectOf(source['Item']), new Set([table?.partitionKey ?? '', table?.sortKey ?? '']));
}

function pick(object: JsonObject, names: ReadonlySet<string>): JsonObject {
  return Object.fromEntries(Object.entries(object).filter(([name]) => names.has(name)));
}
