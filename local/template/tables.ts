// The template's DynamoDB tables, as the local engine takes them.
import * as z from 'zod';
import type { TableDefinition } from '../dynamodb/index.ts';
import { StartError } from '../start-error.ts';
import { namesByType } from './names.ts';
import type { ResolvedResource } from './resolve.ts';

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

function tableOf(resource: ResolvedResource): TableDefinition {
  const parsed = TableShape.safeParse(resource.properties);
  if (!parsed.success) {
    throw new StartError(`${resource.logicalId}: ${z.prettifyError(parsed.error)}`);
  }
  const { KeySchema, StreamSpecification, TimeToLiveSpecification } = parsed.data;
  const keyOf = (type: string) => KeySchema.find(({ KeyType }) => KeyType === type)?.AttributeName;
  const sortKey = keyOf('RANGE');
  return {
    tableName: namesByType[resource.Type]?.ref(resource) ?? resource.logicalId,
    partitionKey: keyOf('HASH') ?? '',
    ...(sortKey ? { sortKey } : {}),
    ...(TimeToLiveSpecification?.Enabled
      ? { timeToLiveAttribute: TimeToLiveSpecification.AttributeName }
      : {}),
    ...(StreamSpecification ? { streamViewType: StreamSpecification.StreamViewType } : {}),
  };
}

/** Every table of the template; secondary indexes are refused, the local engine's proxy has none. */
export function readTables(resources: ReadonlyMap<string, ResolvedResource>): TableDefinition[] {
  return [...resources.values()]
    .filter(({ Type }) => Type === 'AWS::DynamoDB::GlobalTable' || Type === 'AWS::DynamoDB::Table')
    .map(tableOf);
}
