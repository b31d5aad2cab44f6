// Makes every call report what it consumed, reads that, and hides it again from a client that did
// not ask.
import { isObject, type JsonObject, listOf, objectOf } from './json.ts';
import type { Answer } from './wire.ts';

/** What an operation's plain `CapacityUnits` are; operations not named here consume nothing. */
const unitOf: Record<string, 'reads' | 'writes'> = {
  GetItem: 'reads',
  BatchGetItem: 'reads',
  TransactGetItems: 'reads',
  Query: 'reads',
  Scan: 'reads',
  PutItem: 'writes',
  UpdateItem: 'writes',
  DeleteItem: 'writes',
  BatchWriteItem: 'writes',
  TransactWriteItems: 'writes',
};

/** Whether the operation is one on items, which costs units. */
export function consumes(operation: string): boolean {
  return unitOf[operation] !== undefined;
}

export interface Consumption {
  reads: number;
  writes: number;
}

/** The request with a report of its consumption asked for. */
export function askConsumption(operation: string, body: JsonObject): JsonObject {
  if (!consumes(operation) || wantsConsumption(body)) return body;
  return { ...body, ReturnConsumedCapacity: 'TOTAL' };
}

/** The answer as the client would have got it for its own request. */
export function hideConsumption(request: JsonObject, answer: Answer): Answer {
  if (wantsConsumption(request) || answer.body['ConsumedCapacity'] === undefined) return answer;
  const { ConsumedCapacity: _, ...body } = answer.body;
  return { ...answer, body };
}

function wantsConsumption(body: JsonObject): boolean {
  return (body['ReturnConsumedCapacity'] ?? 'NONE') !== 'NONE';
}

/** The units a successful answer reports, over all its tables. */
export function readConsumption(operation: string, answer: Answer): Consumption {
  const unit = unitOf[operation];
  const reported = answer.body['ConsumedCapacity'];
  const tables = isObject(reported) ? [reported] : listOf(reported).map(objectOf);
  const sum = { reads: 0, writes: 0 };
  for (const table of tables) {
    const reads = Number(table['ReadCapacityUnits'] ?? 0);
    const writes = Number(table['WriteCapacityUnits'] ?? 0);
    // A repeated transaction is charged as reads, so the split goes before the operation's kind.
    const isSplit = reads + writes > 0;
    if (isSplit) {
      sum.reads += reads;
      sum.writes += writes;
    } else if (unit !== undefined) {
      sum[unit] += Number(table['CapacityUnits'] ?? 0);
    }
  }
  return sum;
}
