// What the runner reads of a stream record; the rest of it passes through to the function.
import type { StreamRecord } from '../dynamodb/index.ts';

export type { StreamRecord };

export const sequenceNumberOf = (record: StreamRecord): string => record.dynamodb.SequenceNumber;

export const createdAtMsOf = (record: StreamRecord): number =>
  record.dynamodb.ApproximateCreationDateTime * 1_000;
