// The ARNs that clients see, and their translation to and from those of the engine.
import type { JsonObject } from './json.ts';
import type { EngineTable } from './tables.ts';

/** ARNs of the tables and streams of one region and account. */
export interface Arns {
  table(tableName: string): string;
  /** A table has one stream for ever, so its label is a constant. */
  stream(tableName: string): string;
}

/** Region `eu-central-1` and an account of zeros suit a stack on one machine. */
export function createArns(region: string, account: string): Arns {
  const table = (tableName: string) => `arn:aws:dynamodb:${region}:${account}:table/${tableName}`;
  return { table, stream: (tableName) => `${table(tableName)}/stream/2026-01-01T00:00:00.000` };
}

/** Translates every ARN in a request to the engine's, or in an answer back. */
export interface ArnTranslation {
  inward(body: JsonObject): JsonObject;
  outward(body: JsonObject): JsonObject;
}

export function createArnTranslation(arns: Arns, tables: readonly EngineTable[]): ArnTranslation {
  const pairs = tables.flatMap(({ tableName, arnPrefix, streamArn }) => [
    ...(streamArn === undefined ? [] : [[arns.stream(tableName), streamArn] as const]),
    [arns.table(tableName), arnPrefix + tableName] as const,
  ]);
  return {
    inward: (body) => replaceAll(body, pairs),
    outward: (body) =>
      replaceAll(
        body,
        pairs.map(([outside, inside]) => [inside, outside]),
      ),
  };
}

function replaceAll(
  body: JsonObject,
  pairs: readonly (readonly [from: string, to: string])[],
): JsonObject {
  const text = pairs.reduce((all, [from, to]) => all.replaceAll(from, to), JSON.stringify(body));
  const replaced: JsonObject = JSON.parse(text);
  return replaced;
}
