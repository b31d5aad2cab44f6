// The key that the values of generated secrets come from, kept with the state that they seal.
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { StartError } from './start-error.ts';

const keyBytes = 32;

/** Reads the key in a state folder, made if absent; throws a `StartError` when it is damaged. */
export function openSecretKey(folder: string): Buffer {
  const file = join(folder, 'secret-key');
  if (!existsSync(file)) {
    const unfinished = `${file}.new`;
    writeFileSync(unfinished, randomBytes(keyBytes), { mode: 0o600 });
    renameSync(unfinished, file);
  }
  const key = readFileSync(file);
  if (key.length === keyBytes) return key;
  throw new StartError(
    `The key in ${file} is damaged: remove it, and sign in again wherever you were signed in`,
  );
}
