// DynamoDB's refusals as the SDK throws them.
import {
  type CancellationReason,
  ConditionalCheckFailedException,
  DynamoDBServiceException,
  IdempotentParameterMismatchException,
  TransactionCanceledException,
  TransactionConflictException,
  TransactionInProgressException,
} from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';

const $metadata = {};
const named = (name: string, message: string, fault: 'client' | 'server', status: number) =>
  new DynamoDBServiceException({
    name,
    message,
    $fault: fault,
    $metadata: { httpStatusCode: status },
  });

/** What the engine would not even try: a mistake of the caller, or beyond this model. */
export class ValidationException extends DynamoDBServiceException {
  constructor(message: string) {
    super({ name: 'ValidationException', message, $fault: 'client', $metadata });
  }
}

/** Why one member of a transaction was refused; `None` for those that were not. */
export interface Reason {
  readonly code: 'None' | 'ConditionalCheckFailed' | 'TransactionConflict';
  readonly item?: Readonly<Record<string, unknown>> | undefined;
}

export function cancelled(reasons: readonly Reason[]): Error {
  return new TransactionCanceledException({
    message: `Transaction cancelled [${reasons.map(({ code }) => code).join(', ')}]`,
    $metadata,
    CancellationReasons: reasons.map(
      ({ code, item }): CancellationReason => ({
        Code: code,
        ...(item !== undefined && { Item: marshall(item) }),
      }),
    ),
  });
}

export function conditionFailed(item: Reason['item']): Error {
  return new ConditionalCheckFailedException({
    message: 'The conditional request failed',
    $metadata,
    ...(item !== undefined && { Item: marshall(item) }),
  });
}

export const conflict = (): Error =>
  new TransactionConflictException({
    message: 'Transaction is ongoing for the item',
    $metadata,
  });

export const inProgress = (): Error =>
  new TransactionInProgressException({ message: 'The transaction is in progress', $metadata });

export const tokenMismatch = (): Error =>
  new IdempotentParameterMismatchException({
    message: 'This token came with other writes',
    $metadata,
  });

/** The request was not carried out. */
export const throttled = (): Error =>
  named('ThrottlingException', 'Rate of requests exceeds the allowed', 'client', 400);

/** What the SDK throws once its own repeats have all gone unanswered. */
export const unanswered = (): Error => named('TimeoutError', 'no answer', 'server', 500);
