// How far a mapping has come in its stream, kept on disk: what follows is delivered (again).
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import * as z from 'zod';
import { StartError } from '../start-error.ts';

const CheckpointShape = z.object({ after: z.string() });

export type Checkpoint = {
  /** Sequence number of the last record that was done with when it was opened, if any was. */
  readonly after: string | undefined;
  save(after: string): void;
};

/** The checkpoint of one mapping in `folder`; throws a `StartError` when it is damaged. */
export function openCheckpoint(folder: string, mappingId: string): Checkpoint {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${mappingId}.json`);
  return {
    after: existsSync(file) ? readAfter(file) : undefined,
    save: (after) => {
      writeFileSync(`${file}.new`, JSON.stringify({ after }));
      renameSync(`${file}.new`, file);
    },
  };
}

function readAfter(file: string): string {
  try {
    return CheckpointShape.parse(JSON.parse(readFileSync(file, 'utf8'))).after;
  } catch {
    throw new StartError(`The state in ${file} is damaged: remove the folder it is in`);
  }
}
