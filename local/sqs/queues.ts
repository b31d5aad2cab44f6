// The template's queues with the settings that change what happens to a message.
import * as z from 'zod';
import { StartError } from '../start-error.ts';
import { namesByType } from '../template/names.ts';
import type { ResolvedResource } from '../template/resolve.ts';

const QueueShape = z.object({
  FifoQueue: z.literal(false).optional(),
  DelaySeconds: z.number().default(0),
  VisibilityTimeout: z.number().default(30),
  MessageRetentionPeriod: z.number().default(345_600),
  RedrivePolicy: z
    .object({ deadLetterTargetArn: z.string(), maxReceiveCount: z.coerce.number() })
    .optional(),
});

/** A queue; times in milliseconds. */
export type Queue = {
  logicalId: string;
  name: string;
  arn: string;
  delayMs: number;
  visibilityMs: number;
  retentionMs: number;
  /** Where a message goes that was received this often in vain. */
  redrive: { arn: string; maxReceiveCount: number } | undefined;
};

function queueOf(resource: ResolvedResource): Queue {
  const parsed = QueueShape.safeParse(resource.properties);
  if (!parsed.success) {
    throw new StartError(`${resource.logicalId}: ${z.prettifyError(parsed.error)}`);
  }
  const it = parsed.data;
  const attributes = namesByType[resource.Type]?.attributes;
  const redrive = it.RedrivePolicy;
  return {
    logicalId: resource.logicalId,
    name: attributes?.['QueueName']?.(resource) ?? resource.logicalId,
    arn: attributes?.['Arn']?.(resource) ?? '',
    delayMs: it.DelaySeconds * 1_000,
    visibilityMs: it.VisibilityTimeout * 1_000,
    retentionMs: it.MessageRetentionPeriod * 1_000,
    redrive: redrive && {
      arn: redrive.deadLetterTargetArn,
      maxReceiveCount: redrive.maxReceiveCount,
    },
  };
}

/** Every queue of the template. */
export function readQueues(resources: ReadonlyMap<string, ResolvedResource>): Queue[] {
  return [...resources.values()].filter(({ Type }) => Type === 'AWS::SQS::Queue').map(queueOf);
}
