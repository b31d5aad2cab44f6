// The three ways the store reads: one item, many by key, one range. All strongly consistent.
import { BatchGetCommand, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import type { RawItem } from './failures.ts';
import type { Key } from './keys.ts';
import type { Table } from './table-port.ts';

/** BatchGetItem takes at most this many keys. */
const batchKeys = 100;

/** One item, or undefined. */
export async function getItem(table: Table, key: Key): Promise<RawItem | undefined> {
  const { Item } = await table.client.send(
    new GetCommand({ TableName: table.name, Key: key, ConsistentRead: true }),
  );
  return Item;
}

/** Items by key, in no order; keys without an item are left out. */
export async function getItems(table: Table, wanted: readonly Key[]): Promise<RawItem[]> {
  const unique = [...new Map(wanted.map((key) => [`${key.pk}\n${key.sk}`, key])).values()];
  const batches: Key[][] = [];
  for (let at = 0; at < unique.length; at += batchKeys) {
    batches.push(unique.slice(at, at + batchKeys));
  }
  return (await Promise.all(batches.map((keys) => getBatch(table, keys)))).flat();
}

async function getBatch(table: Table, first: readonly Key[]): Promise<RawItem[]> {
  const items: RawItem[] = [];
  let keys: Record<string, unknown>[] = first.map((key) => ({ ...key }));
  for (let attempt = 0; keys.length > 0; attempt += 1) {
    // A batch over 16 MB, or a throttled one, comes back in parts.
    if (attempt > 0) await table.sleep(Math.min(400, 20 * 2 ** attempt) * table.random());
    const { Responses, UnprocessedKeys } = await table.client.send(
      new BatchGetCommand({
        RequestItems: { [table.name]: { Keys: keys, ConsistentRead: true } },
      }),
    );
    items.push(...(Responses?.[table.name] ?? []));
    keys = UnprocessedKeys?.[table.name]?.Keys ?? [];
  }
  return items;
}

/** A range of one partition, by sort key; both ends belong to it. */
export interface Range {
  readonly pk: string;
  readonly low: string;
  readonly high: string;
}

/** One page of a range and where the next one starts. */
export interface Page {
  readonly items: readonly RawItem[];
  readonly next?: RawItem | undefined;
}

/** One page of a range; `limit` items at most, and 1 MB. */
export async function queryPage(
  table: Table,
  range: Range,
  options: {
    readonly descending?: boolean;
    readonly limit?: number | undefined;
    readonly start?: RawItem | undefined;
  } = {},
): Promise<Page> {
  const { Items = [], LastEvaluatedKey } = await table.client.send(
    new QueryCommand({
      TableName: table.name,
      KeyConditionExpression: 'pk = :pk AND sk BETWEEN :low AND :high',
      ExpressionAttributeValues: { ':pk': range.pk, ':low': range.low, ':high': range.high },
      ConsistentRead: true,
      ScanIndexForward: options.descending !== true,
      Limit: options.limit,
      ExclusiveStartKey: options.start,
    }),
  );
  return { items: Items, next: LastEvaluatedKey };
}

/** All items of a range that is bounded by the size of a room. */
export async function queryAll(table: Table, range: Range): Promise<RawItem[]> {
  const items: RawItem[] = [];
  let start: RawItem | undefined;
  do {
    const page: Page = await queryPage(table, range, { start });
    items.push(...page.items);
    start = page.next;
  } while (start !== undefined);
  return items;
}
