// A document client whose every call is answered in this process instead of being sent.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import type { MemoryTable } from './memory-table.ts';
import * as requests from './requests.ts';

/** Answers one call by its operation and input; what it throws, the caller of the client gets. */
export type Answer = (operation: string, input: unknown) => Promise<object>;

/** A client for `answer`; nothing is marshalled, signed or repeated. */
export function createMemoryClient(answer: Answer): DynamoDBDocumentClient {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({
      region: 'memory',
      credentials: { accessKeyId: '-', secretAccessKey: '-' },
    }),
  );
  client.middlewareStack.add(
    (_next, context) => async (call) => ({
      output: { $metadata: {}, ...(await answer(context['commandName'] ?? '', call.input)) },
      response: {},
    }),
    { step: 'initialize', priority: 'high', name: 'answeredInMemory' },
  );
  return client;
}

/** Calls that happen at one instant; transactions are the caller's to take apart. */
export const instantCalls: Readonly<
  Record<string, (table: MemoryTable, by: string, input: unknown) => object>
> = {
  GetItemCommand: (table, _by, input) => ({ Item: table.get(requests.Get.parse(input).Key) }),
  BatchGetItemCommand: (table, _by, input) => ({
    Responses: Object.fromEntries(
      Object.entries(requests.BatchGet.parse(input).RequestItems).map(([name, { Keys }]) => [
        name,
        Keys.flatMap((key) => table.get(key) ?? []),
      ]),
    ),
    UnprocessedKeys: {},
  }),
  QueryCommand: (table, _by, input) => table.query(requests.Query.parse(input)),
  PutItemCommand: (table, by, input) => {
    table.write(by, { Put: requests.Put.parse(input) });
    return {};
  },
  UpdateItemCommand: (table, by, input) => {
    const { ReturnValues, ...update } = requests.Update.parse(input);
    const after = table.write(by, { Update: update });
    return ReturnValues === 'ALL_NEW' ? { Attributes: after } : {};
  },
  DeleteItemCommand: (table, by, input) => {
    table.write(by, { Delete: requests.Delete.parse(input) });
    return {};
  },
};

/** The operation that `MemoryTable.decide` is for. */
export const transactWrite = 'TransactWriteItemsCommand';
