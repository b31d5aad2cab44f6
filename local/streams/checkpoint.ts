// How far a mapping has come in its stream, kept on disk: what follows is delivered (again).
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { StartError } from '../start-error.ts';

const CheckpointShape = z.object({ after: z.string() });

export type Checkpoint = {
  /** Sequence number of the last record that is done with; `undefined` before the first. */
  load(): string | undefined;
  save(after: string): void;
};

/** The checkpoint of one mapping in `folder`. */
export function openCheckpoint(folder: string, mappingId: string): Checkpoint {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${mappingId}.json`);
  return {
    load: () => {
      const text = readIfPresent(file);
      if (text === undefined) return undefined;
      try {
        return CheckpointShape.parse(JSON.parse(text)).after;
      } catch {
        throw new StartError(
          `The state in ${folder} is damaged (${mappingId}): remove that folder`,
        );
      }
    },
    save: (after) => {
      writeFileSync(`${file}.new`, JSON.stringify({ after }));
      renameSync(`${file}.new`, file);
    },
  };
}

function readIfPresent(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}
