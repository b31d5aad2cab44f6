// How records get to disk: private, whole or not at all. A port, so that tests can see what is
// touched.
import { randomUUID } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';

export interface FileAccess {
  /** Undefined if there is no such file. */
  read: (path: string) => Promise<string | undefined>;
  /** Replaces the file as a whole: readers see the old text or the new one. */
  write: (path: string, text: string) => Promise<void>;
  /** Makes an empty file; false if it is there already. Of several callers one gets true. */
  claim: (path: string) => Promise<boolean>;
  /** Names in a folder; none if there is no such folder. */
  list: (folder: string) => Promise<string[]>;
  /** Removes a file or a folder with all in it; nothing happens if there is none. */
  remove: (path: string) => Promise<void>;
}

const privateFile = 0o600;
const privateFolder = 0o700;

export const nodeFiles: FileAccess = {
  read: (path) => unlessMissing(readFile(path, 'utf8'), undefined),
  async write(path, text) {
    await mkdir(dirname(path), { recursive: true, mode: privateFolder });
    const draft = `${path}.${randomUUID()}.tmp`;
    try {
      await writeFile(draft, text, { mode: privateFile, flag: 'wx' });
      await rename(draft, path);
    } catch (error) {
      await rm(draft, { force: true });
      throw error;
    }
  },
  async claim(path) {
    await mkdir(dirname(path), { recursive: true, mode: privateFolder });
    try {
      await (await open(path, 'wx', privateFile)).close();
      return true;
    } catch (error) {
      if (hasCode(error, 'EEXIST')) return false;
      throw error;
    }
  },
  list: (folder) => unlessMissing(readdir(folder), []),
  remove: (path) => rm(path, { force: true, recursive: true }),
};

async function unlessMissing<Found, Missing>(
  found: Promise<Found>,
  missing: Missing,
): Promise<Found | Missing> {
  try {
    return await found;
  } catch (error) {
    if (hasCode(error, 'ENOENT') || hasCode(error, 'ENOTDIR')) return missing;
    throw error;
  }
}

function hasCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code;
}
