// Write members as the store's files build them: an update from a list of assignments, no strings
// glued elsewhere.
import type { TransactWriteCommandInput } from '@aws-sdk/lib-dynamodb';
import type { Key } from './keys.ts';

export type TransactionMember = NonNullable<TransactWriteCommandInput['TransactItems']>[number];

/** One write of a transaction; its name is how a refusal of it is told from the others. */
export interface Write {
  readonly name: string;
  readonly member: (tableName: string) => TransactionMember;
}

/** Attribute values by `:name`. */
export type Values = Readonly<Record<string, unknown>>;

interface Assignments {
  /** Attribute to value. */
  readonly set?: Readonly<Record<string, unknown>>;
  readonly remove?: readonly string[];
  /** Numbers or sets to add. */
  readonly add?: Readonly<Record<string, unknown>>;
  /** Elements to take out of sets. */
  readonly drop?: Readonly<Record<string, unknown>>;
}

/** Expression, names and values of an Update; every attribute goes by a placeholder. */
export function updateOf(assignments: Assignments, condition?: Condition) {
  const names: Record<string, string> = { ...condition?.names };
  const values: Record<string, unknown> = { ...condition?.values };
  const clause = (
    keyword: string,
    attributes: Readonly<Record<string, unknown>> | undefined,
    join: string,
  ) => {
    const parts = Object.entries(attributes ?? {}).map(([attribute, value]) => {
      names[`#${attribute}`] = attribute;
      if (keyword === 'REMOVE') return `#${attribute}`;
      values[`:u_${attribute}`] = value;
      return `#${attribute}${join}:u_${attribute}`;
    });
    return parts.length === 0 ? [] : [`${keyword} ${parts.join(', ')}`];
  };
  const expression = [
    ...clause('SET', assignments.set, ' = '),
    ...clause('REMOVE', Object.fromEntries((assignments.remove ?? []).map((a) => [a, null])), ''),
    ...clause('ADD', assignments.add, ' '),
    ...clause('DELETE', assignments.drop, ' '),
  ].join(' ');
  return {
    UpdateExpression: expression,
    ...(condition === undefined ? {} : { ConditionExpression: condition.expression }),
    ExpressionAttributeNames: names,
    ...(Object.keys(values).length === 0 ? {} : { ExpressionAttributeValues: values }),
  };
}

/** A condition expression with its own names (`#x`) and values (`:x`). */
export interface Condition {
  readonly expression: string;
  readonly names?: Readonly<Record<string, string>>;
  readonly values?: Values;
}

const withOld = { ReturnValuesOnConditionCheckFailure: 'ALL_OLD' } as const;

/** Puts an item; a condition's refusal brings the item that was there. */
export function put(name: string, item: Key & Values, condition?: Condition): Write {
  return {
    name,
    member: (tableName) => ({
      Put: {
        TableName: tableName,
        Item: item,
        ...(condition === undefined ? {} : { ...conditionOf(condition), ...withOld }),
      },
    }),
  };
}

/** Updates an existing item: `attribute_exists(pk)` is always part of the condition. */
export function update(
  name: string,
  key: Key,
  assignments: Assignments,
  condition?: Condition,
): Write {
  return {
    name,
    member: (tableName) => ({
      Update: {
        TableName: tableName,
        Key: key,
        ...updateOf(assignments, existing(condition)),
        ...withOld,
      },
    }),
  };
}

/** Updates an item or makes it: only for sets and counters that begin empty. */
export function upsert(name: string, key: Key, assignments: Assignments): Write {
  return {
    name,
    member: (tableName) => ({
      Update: { TableName: tableName, Key: key, ...updateOf(assignments) },
    }),
  };
}

export function remove(name: string, key: Key, condition?: Condition): Write {
  return {
    name,
    member: (tableName) => ({
      Delete: {
        TableName: tableName,
        Key: key,
        ...(condition === undefined ? {} : { ...conditionOf(condition), ...withOld }),
      },
    }),
  };
}

/** Asserts something about an item that the transaction does not write. */
export function check(name: string, key: Key, condition: Condition): Write {
  return {
    name,
    member: (tableName) => ({
      ConditionCheck: { TableName: tableName, Key: key, ...conditionOf(condition), ...withOld },
    }),
  };
}

/** `attribute_exists(pk)` and, if given, the condition. */
export function existing(condition?: Condition): Condition {
  if (condition === undefined) return { expression: 'attribute_exists(pk)' };
  return { ...condition, expression: `attribute_exists(pk) AND (${condition.expression})` };
}

function conditionOf({ expression, names, values }: Condition) {
  return {
    ConditionExpression: expression,
    ...(names === undefined ? {} : { ExpressionAttributeNames: names }),
    ...(values === undefined ? {} : { ExpressionAttributeValues: values }),
  };
}
