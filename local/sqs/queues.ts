// The template's queues with the settings that change what happens to a message.
import * as z from 'zod';
import { type Resources, resourcesOfType } from '../template/typed.ts';

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

/** Every queue of the template. */
export function readQueues(resources: Resources): Queue[] {
  return resourcesOfType(resources, 'AWS::SQS::Queue', QueueShape).map((queue) => {
    const { RedrivePolicy: redrive, ...settings } = queue.properties;
    return {
      logicalId: queue.logicalId,
      name: queue.ref.slice(queue.ref.lastIndexOf('/') + 1),
      arn: queue.arn,
      delayMs: settings.DelaySeconds * 1_000,
      visibilityMs: settings.VisibilityTimeout * 1_000,
      retentionMs: settings.MessageRetentionPeriod * 1_000,
      redrive: redrive && {
        arn: redrive.deadLetterTargetArn,
        maxReceiveCount: redrive.maxReceiveCount,
      },
    };
  });
}
