// The template's event source mappings: which queue or stream feeds which function, and how.
import * as z from 'zod';
import type { LocalFunction } from '../lambda/functions.ts';
import { StartError } from '../start-error.ts';
import type { StreamMapping } from '../streams/consumer.ts';
import { compileFilters } from '../streams/filter.ts';
import type { ResolvedResource } from '../template/resolve.ts';

// Strict shapes: a setting that changes what is delivered and is not here must not go unnoticed.
const anyMapping = {
  EventSourceArn: z.string(),
  FunctionName: z.string(),
  Enabled: z.literal(true).optional(),
  FunctionResponseTypes: z.array(z.literal('ReportBatchItemFailures')).default([]),
  Tags: z.unknown().optional(),
};
const QueueMappingShape = z.strictObject({
  ...anyMapping,
  BatchSize: z.number().default(10),
  MaximumBatchingWindowInSeconds: z.literal(0).optional(),
  ScalingConfig: z.object({ MaximumConcurrency: z.number() }).optional(),
});
const StreamMappingShape = z.strictObject({
  ...anyMapping,
  StartingPosition: z.enum(['TRIM_HORIZON', 'LATEST']),
  BatchSize: z.number().default(100),
  MaximumBatchingWindowInSeconds: z.number().default(0),
  ParallelizationFactor: z.number().default(1),
  BisectBatchOnFunctionError: z.boolean().default(false),
  MaximumRetryAttempts: z.number().default(-1),
  MaximumRecordAgeInSeconds: z.number().default(-1),
  FilterCriteria: z.object({ Filters: z.array(z.object({ Pattern: z.string() })) }).optional(),
  DestinationConfig: z
    .object({ OnFailure: z.object({ Destination: z.string() }).optional() })
    .optional(),
});

type Source = { mappingId: string; sourceArn: string; fn: LocalFunction };
export type QueueSource = Source & {
  batchSize: number;
  /** As many batches as the function has environments, unless the template says fewer. */
  maxConcurrency: number | undefined;
  reportsFailures: boolean;
};
export type StreamSource = Source & {
  mapping: StreamMapping;
  /** The queue that learns of records that were given up. */
  onFailureArn: string | undefined;
};

type Functions = ReadonlyMap<string, LocalFunction>;

function parse<Schema extends z.ZodType>(schema: Schema, it: ResolvedResource): z.output<Schema> {
  const parsed = schema.safeParse(it.properties);
  if (parsed.success) return parsed.data;
  throw new StartError(`${it.logicalId} (${it.Type}): ${z.prettifyError(parsed.error)}`);
}

function mappingsFrom(resources: ReadonlyMap<string, ResolvedResource>, service: string) {
  return [...resources.values()].filter(
    ({ Type, properties }) =>
      Type === 'AWS::Lambda::EventSourceMapping' &&
      String(properties['EventSourceArn']).startsWith(`arn:aws:${service}:`),
  );
}

function sourceOf(
  { logicalId }: ResolvedResource,
  { EventSourceArn, FunctionName }: { EventSourceArn: string; FunctionName: string },
  functions: Functions,
): Source {
  const fn = [...functions.values()].find(({ name, arn }) => [name, arn].includes(FunctionName));
  if (!fn) throw new StartError(`${logicalId} feeds ${FunctionName}, which the template lacks`);
  return { mappingId: logicalId, sourceArn: EventSourceArn, fn };
}

/** Mappings from queues. */
export function readQueueSources(
  resources: ReadonlyMap<string, ResolvedResource>,
  functions: Functions,
): QueueSource[] {
  return mappingsFrom(resources, 'sqs').map((resource) => {
    const it = parse(QueueMappingShape, resource);
    return {
      ...sourceOf(resource, it, functions),
      batchSize: it.BatchSize,
      maxConcurrency: it.ScalingConfig?.MaximumConcurrency,
      reportsFailures: it.FunctionResponseTypes.length > 0,
    };
  });
}

const toMs = (seconds: number) => (seconds < 0 ? seconds : seconds * 1_000);

/** Mappings from tables' streams. */
export function readStreamSources(
  resources: ReadonlyMap<string, ResolvedResource>,
  functions: Functions,
): StreamSource[] {
  return mappingsFrom(resources, 'dynamodb').map((resource) => {
    const it = parse(StreamMappingShape, resource);
    return {
      ...sourceOf(resource, it, functions),
      onFailureArn: it.DestinationConfig?.OnFailure?.Destination,
      mapping: {
        startingPosition: it.StartingPosition,
        batchSize: it.BatchSize,
        windowMs: toMs(it.MaximumBatchingWindowInSeconds),
        parallelization: it.ParallelizationFactor,
        bisects: it.BisectBatchOnFunctionError,
        maxRetries: it.MaximumRetryAttempts,
        maxAgeMs: toMs(it.MaximumRecordAgeInSeconds),
        reportsFailures: it.FunctionResponseTypes.length > 0,
        passes: compileFilters(it.FilterCriteria?.Filters.map(({ Pattern }) => Pattern) ?? []),
      },
    };
  });
}
