// How large items are as they stand in the table.
import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import type { Key } from '../functions/store/keys.ts';
import type { TestHub } from '../functions/testing/test-hub.ts';
import { itemBytes } from '../local/dynamodb/item-size.ts';
import type { JsonObject } from '../local/dynamodb/json.ts';

/** Bytes of all of them together, as DynamoDB counts. */
export async function bytesOf({ hub }: TestHub, wanted: readonly Key[]): Promise<number> {
  const sizes = wanted.map(async (key) => {
    const { Item = {} } = await hub.table.client.send(
      new GetItemCommand({ TableName: hub.table.name, Key: marshall(key) }),
    );
    return itemBytes(onWire(Item));
  });
  return (await Promise.all(sizes)).reduce((sum, bytes) => sum + bytes, 0);
}

/** Binary values as they travel. */
function onWire(item: object): JsonObject {
  const asBase64 = (_: string, value: unknown) =>
    value instanceof Uint8Array ? Buffer.from(value).toString('base64') : value;
  const parsed: JsonObject = JSON.parse(JSON.stringify(item, asBase64));
  return parsed;
}
