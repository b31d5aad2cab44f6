// Telling DynamoDB's refusals apart. Names, never messages: an error's text may hold items.
import {
  ConditionalCheckFailedException,
  TransactionCanceledException,
} from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';

/** An item as it came from the table; parsed by `items.ts` before use. */
export type RawItem = Record<string, unknown>;

/** Why one member of a transaction was refused. */
export interface Refusal {
  readonly code: string;
  /** The item as it stood, where the member asked for it. */
  readonly item?: RawItem | undefined;
}

/** One refusal per member in order, or undefined if the error is no cancellation. */
export function refusalsOf(error: unknown): readonly Refusal[] | undefined {
  if (!(error instanceof TransactionCanceledException)) return undefined;
  return (error.CancellationReasons ?? []).map((reason) => ({
    code: reason.Code ?? 'None',
    item: reason.Item === undefined ? undefined : unmarshall(reason.Item),
  }));
}

/** A refused condition of a plain write, with the item it saw if it was asked for. */
export function refusedCondition(error: unknown): { readonly item?: RawItem } | undefined {
  if (!(error instanceof ConditionalCheckFailedException)) return undefined;
  return error.Item === undefined ? {} : { item: unmarshall(error.Item) };
}

/**
 * Worth the same call again: nothing was written, or the same request token tells whether it was.
 */
const passing = new Set([
  'TransactionConflictException',
  'TransactionInProgressException',
  'ThrottlingException',
  'ProvisionedThroughputExceededException',
  'RequestLimitExceeded',
  'InternalServerError',
  'InternalServerErrorException',
  'ServiceUnavailable',
  'ServiceUnavailableException',
  'TimeoutError',
  'RequestTimeout',
  'NetworkingError',
  'ECONNRESET',
  'ECONNREFUSED',
  'EPIPE',
  'ETIMEDOUT',
]);

/** Cancellation codes that say nothing about conditions. */
const passingCodes = new Set([
  'TransactionConflict',
  'ThrottlingError',
  'ProvisionedThroughputExceeded',
]);

export function isPassing(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  if (passing.has(error.name)) return true;
  if ('code' in error && typeof error.code === 'string' && passing.has(error.code)) return true;
  const status =
    '$metadata' in error && typeof error.$metadata === 'object' && error.$metadata !== null
      ? Reflect.get(error.$metadata, 'httpStatusCode')
      : undefined;
  return typeof status === 'number' && status >= 500;
}

export function isPassingRefusal(refusal: Refusal): boolean {
  return passingCodes.has(refusal.code);
}
