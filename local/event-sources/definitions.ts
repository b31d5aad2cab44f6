// The template's event source mappings: which queue or stream feeds which function, and how.
import * as z from 'zod';
import type { FunctionDefinition } from '../lambda/definitions.ts';
import { StartError } from '../start-error.ts';
import type { StreamMapping } from '../streams/consumer.ts';
import { compileFilters } from '../streams/filter.ts';
import type { Authorize } from '../template/roles.ts';
import { type Resources, resourcesOfType, type Typed } from '../template/typed.ts';

// Strict shapes: a setting that changes what is delivered and is not here must not go unnoticed.
const anyMapping = {
  FunctionName: z.string(),
  Enabled: z.literal(true).optional(),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  Tags: z.unknown().optional(),
};
const QueueMappingShape = z.strictObject({
  ...anyMapping,
  EventSourceArn: z.string().startsWith('arn:aws:sqs:'),
  BatchSize: z.number().default(10),
  MaximumBatchingWindowInSeconds: z.literal(0).optional(),
  ScalingConfig: z.object({ MaximumConcurrency: z.number() }).optional(),
});
const StreamMappingShape = z.strictObject({
  ...anyMapping,
  EventSourceArn: z.string().startsWith('arn:aws:dynamodb:'),
  StartingPosition: z.enum(['TRIM_HORIZON', 'LATEST']),
  BatchSize: z.number().default(100),
  MaximumBatchingWindowInSeconds: z.number().default(0),
  ParallelizationFactor: z.number().default(1),
  BisectBatchOnFunctionError: z.boolean().default(false),
  MaximumRetryAttempts: z.number().default(-1),
  MaximumRecordAgeInSeconds: z.number().default(-1),
  FilterCriteria: z
    .object({ Filters: z.array(z.object({ Pattern: z.string() })) })
    .default({ Filters: [] }),
  DestinationConfig: z
    .object({ OnFailure: z.object({ Destination: z.string() }).optional() })
    .optional(),
});
const MappingShape = z.union([QueueMappingShape, StreamMappingShape]);

type Source = { mappingId: string; sourceArn: string; fn: FunctionDefinition };
export type QueueSource = Source & {
  batchSize: number;
  maxConcurrency: number | undefined;
  reportsFailures: boolean;
};
export type StreamSource = Source & {
  mapping: StreamMapping;
  /** The queue that learns of records that were given up. */
  onFailureArn: string | undefined;
};
export type EventSourceDefinitions = { queues: QueueSource[]; streams: StreamSource[] };

type StreamProperties = z.output<typeof StreamMappingShape>;

const actionsOnSource = {
  queue: ['sqs:ReceiveMessage', 'sqs:DeleteMessage', 'sqs:GetQueueAttributes'],
  stream: ['dynamodb:DescribeStream', 'dynamodb:GetRecords', 'dynamodb:GetShardIterator'],
};

/** Lambda itself refuses a mapping whose function could not use its source or destination. */
function requireGrants(authorize: Authorize, source: Source, arn: string, actions: string[]): void {
  const { logicalId } = source.fn;
  const missing = actions.filter((action) => !authorize(logicalId, action, arn));
  if (missing.length === 0) return;
  throw new StartError(`${source.mappingId} needs ${logicalId} to ${missing.join(', ')} on ${arn}`);
}

function streamMapping(properties: StreamProperties): StreamMapping {
  const toMs = (seconds: number) => (seconds < 0 ? seconds : seconds * 1_000);
  const { Filters } = properties.FilterCriteria;
  return {
    startingPosition: properties.StartingPosition,
    batchSize: properties.BatchSize,
    windowMs: toMs(properties.MaximumBatchingWindowInSeconds),
    parallelization: properties.ParallelizationFactor,
    bisects: properties.BisectBatchOnFunctionError,
    maxRetries: properties.MaximumRetryAttempts,
    maxAgeMs: toMs(properties.MaximumRecordAgeInSeconds),
    reportsFailures: properties.FunctionResponseTypes.length > 0,
    passes: compileFilters(Filters.map(({ Pattern }) => Pattern)),
  };
}

/** Every mapping of the template; throws a `StartError` about one that Lambda would refuse. */
export function readEventSources(
  resources: Resources,
  functions: ReadonlyMap<string, FunctionDefinition>,
  authorize: Authorize,
): EventSourceDefinitions {
  const sources: EventSourceDefinitions = { queues: [], streams: [] };
  const sourceOf = (mapping: Typed<z.output<typeof MappingShape>>): Source => {
    const { FunctionName, EventSourceArn } = mapping.properties;
    const fn = [...functions.values()].find(({ name, arn }) => [name, arn].includes(FunctionName));
    if (!fn) throw new StartError(`${mapping.logicalId} feeds ${FunctionName}, unknown here`);
    return { mappingId: mapping.logicalId, sourceArn: EventSourceArn, fn };
  };
  for (const it of resourcesOfType(resources, 'AWS::Lambda::EventSourceMapping', MappingShape)) {
    const source = sourceOf(it);
    if ('StartingPosition' in it.properties) {
      const onFailureArn = it.properties.DestinationConfig?.OnFailure?.Destination;
      requireGrants(authorize, source, source.sourceArn, actionsOnSource.stream);
      if (onFailureArn) requireGrants(authorize, source, onFailureArn, ['sqs:SendMessage']);
      sources.streams.push({ ...source, mapping: streamMapping(it.properties), onFailureArn });
      continue;
    }
    requireGrants(authorize, source, source.sourceArn, actionsOnSource.queue);
    sources.queues.push({
      ...source,
      batchSize: it.properties.BatchSize,
      maxConcurrency: it.properties.ScalingConfig?.MaximumConcurrency,
      reportsFailures: it.properties.FunctionResponseTypes.length > 0,
    });
  }
  return sources;
}
