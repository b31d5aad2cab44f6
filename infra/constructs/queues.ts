// The queues around a function that the table's stream and a queue of its own feed.
import { Duration, Validations } from 'aws-cdk-lib';
import { Queue, QueueEncryption } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';

const kept = { encryption: QueueEncryption.SQS_MANAGED, enforceSSL: true };

/** Keeps what failed to the end until somebody has looked at it. */
export function lastStop(scope: Construct, id: string): Queue {
  const queue = new Queue(scope, id, { ...kept, retentionPeriod: Duration.days(14) });
  const reason = 'The last stop of what failed; an alarm watches it';
  Validations.of(queue).acknowledge(
    { id: 'AwsSolutions::AwsSolutions-SQS3', reason },
    { id: 'Serverless::Serverless-SQSRedrivePolicy', reason },
  );
  return queue;
}

/** Gives each message five tries, each as long as a function with this timeout may need. */
export function workQueue(
  scope: Construct,
  id: string,
  { timeout, deadLetters }: Readonly<{ timeout: Duration; deadLetters: Queue }>,
): Queue {
  return new Queue(scope, id, {
    ...kept,
    // Six times the function's timeout, as Lambda asks for.
    visibilityTimeout: Duration.seconds(6 * timeout.toSeconds()),
    deadLetterQueue: { queue: deadLetters, maxReceiveCount: 5 },
  });
}

/** A rule wants a destination for failures on every source, but a queue's cannot have one. */
export function acknowledgeQueueSource(fn: Construct): void {
  Validations.of(fn).acknowledge({
    id: 'Serverless::Serverless-LambdaEventSourceMappingDestination',
    reason: 'The stream has a destination; a queue hands failures to its own dead-letter queue',
  });
}
