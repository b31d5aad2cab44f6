// The template's DynamoDB tables, as the local engine takes them.
import * as z from 'zod';
import type { TableDefinition } from '../dynamodb/index.ts';
import { type Resources, resourcesOfType, type Typed } from './typed.ts';

// Secondary indexes are refused: the local engine's proxy has none.
const TableShape = z.object({
  KeySchema: z.array(z.object({ AttributeName: z.string(), KeyType: z.enum(['HASH', 'RANGE']) })),
  GlobalSecondaryIndexes: z.undefined().optional(),
  LocalSecondaryIndexes: z.undefined().optional(),
  StreamSpecification: z
    .object({
      StreamViewType: z.enum(['KEYS_ONLY', 'NEW_IMAGE', 'OLD_IMAGE', 'NEW_AND_OLD_IMAGES']),
    })
    .optional(),
  TimeToLiveSpecification: z.object({ AttributeName: z.string(), Enabled: z.boolean() }).optional(),
});

function tableOf({ ref, properties }: Typed<z.output<typeof TableShape>>): TableDefinition {
  const { KeySchema, StreamSpecification, TimeToLiveSpecification } = properties;
  const keyOf = (type: string) => KeySchema.find(({ KeyType }) => KeyType === type)?.AttributeName;
  const sortKey = keyOf('RANGE');
  return {
    tableName: ref,
    partitionKey: keyOf('HASH') ?? '',
    ...(sortKey ? { sortKey } : {}),
    ...(TimeToLiveSpecification?.Enabled
      ? { timeToLiveAttribute: TimeToLiveSpecification.AttributeName }
      : {}),
    ...(StreamSpecification ? { streamViewType: StreamSpecification.StreamViewType } : {}),
  };
}

/** Every table of the template. */
export function readTables(resources: Resources): TableDefinition[] {
  return ['AWS::DynamoDB::GlobalTable', 'AWS::DynamoDB::Table'].flatMap((type) =>
    resourcesOfType(resources, type, TableShape).map(tableOf),
  );
}
