// Finds the partition that a Query asks for.
import { type Json, type JsonObject, listOf, objectOf, textOf } from './json.ts';

const equality = /(#?[\w.-]+)\s*=\s*(:\w+)/g;

/** Value of the partition key in a Query's key condition, in either of its two notations. */
export function readPartition(query: JsonObject, partitionKey: string): Json | undefined {
  const legacy = objectOf(objectOf(query['KeyConditions'])[partitionKey]);
  const [legacyValue] = listOf(legacy['AttributeValueList']);
  if (legacyValue !== undefined) return legacyValue;
  const names = objectOf(query['ExpressionAttributeNames']);
  const values = objectOf(query['ExpressionAttributeValues']);
  const expression = textOf(query['KeyConditionExpression']) ?? '';
  for (const [, name = '', value = ''] of expression.matchAll(equality)) {
    if ((names[name] ?? name) === partitionKey) return values[value];
  }
  return undefined;
}
