// Reads a table's stream in order, batch by batch, as long as the reader likes.
import { setTimeout as delay } from 'node:timers/promises';
import { type JsonObject, listOf, objectOf, textOf } from './json.ts';
import {
  isWithoutChange,
  type StreamIdentity,
  type StreamRecord,
  toStreamRecord,
} from './stream-record.ts';
import { errorName, streamsService, type WireClient } from './wire.ts';

// The engine gives up to a thousand records, of any size, where DynamoDB stops at 1 MB.
const maxRecords = 100;

export interface ReadStreamOptions {
  /**
   * The oldest record there is, only what is written from now on, or what follows the record with
   * that sequence number. The caller keeps this checkpoint.
   */
  from: 'TRIM_HORIZON' | 'LATEST' | (string & {});
  /** Ends the reading; the iteration then finishes without an error. */
  signal?: AbortSignal;
  /** Time between two looks at a quiet stream; 50 if absent. */
  pollMs?: number;
}

export interface StreamSource extends StreamIdentity {
  engine: WireClient;
  /** The stream's ARN in the engine. */
  engineStreamArn: string;
}

/** Batches of 1 to 100 records. */
export interface StreamReading extends AsyncIterable<StreamRecord[]> {
  /** Resolves once its position is settled: with `LATEST`, what is written after that is read. */
  positioned: Promise<void>;
}

export function readStream(
  source: StreamSource,
  { from, signal, pollMs = 50 }: ReadStreamOptions,
): StreamReading {
  const start = findStart(source, from);
  const positioned = start.then(() => {});
  positioned.catch(() => {}); // Whoever asks for the first batch is told as well.
  return {
    positioned,
    async *[Symbol.asyncIterator]() {
      let iterator = await unlessAborted(start, signal);
      while (iterator !== undefined && !signal?.aborted) {
        const page = await unlessAborted(getRecords(source, iterator), signal);
        if (page === undefined) return;
        const records = page.records.filter((record) => !isWithoutChange(record));
        if (records.length > 0) yield records.map((record) => toStreamRecord(record, source));
        iterator = page.next;
        if (page.records.length === 0) {
          await unlessAborted(delay(pollMs, undefined, signal && { signal }), signal);
        }
      }
    },
  };
}

/** A local table's stream has one shard for ever. */
async function findStart(source: StreamSource, from: string): Promise<string | undefined> {
  const arn = { StreamArn: source.engineStreamArn };
  const described = await call(source, 'DescribeStream', arn);
  const [shard] = listOf(objectOf(described['StreamDescription'])['Shards']);
  const type = from === 'TRIM_HORIZON' || from === 'LATEST' ? from : 'AFTER_SEQUENCE_NUMBER';
  const position = {
    ShardId: objectOf(shard)['ShardId'],
    ShardIteratorType: type,
    ...(type === 'AFTER_SEQUENCE_NUMBER' && { SequenceNumber: from }),
  };
  const { ShardIterator } = await call(source, 'GetShardIterator', { ...arn, ...position });
  return textOf(ShardIterator);
}

async function getRecords(
  source: StreamSource,
  iterator: string,
): Promise<{ records: JsonObject[]; next: string | undefined }> {
  const body = { ShardIterator: iterator, Limit: maxRecords };
  const { Records, NextShardIterator } = await call(source, 'GetRecords', body);
  return { records: listOf(Records).map(objectOf), next: textOf(NextShardIterator) };
}

async function call(
  { engine }: StreamSource,
  operation: string,
  body: JsonObject,
): Promise<JsonObject> {
  const answer = await engine.call(`${streamsService}.${operation}`, body);
  const error = errorName(answer);
  if (error !== undefined) throw new Error(`Reading the stream failed: ${operation}: ${error}`);
  return answer.body;
}

/** Undefined instead of an error that only comes from the end of the reading. */
async function unlessAborted<T>(
  work: Promise<T>,
  signal: AbortSignal | undefined,
): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (signal?.aborted) return undefined;
    throw error;
  }
}
