// The folder a stack keeps its state in: locked while it runs, or thrown away afterwards.
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from './start-error.ts';

/** A state folder that belongs to this process until it is released. */
export type StateFolder = { path: string; release(): void };

function readIfPresent(file: string): string {
  return existsSync(file) ? readFileSync(file, 'utf8') : '';
}

/**
 * Locks the folder; made if absent. The lock is one of the operating system on a database file: it
 * ends with the process, however that ends, so there is none to clean up after a crash.
 */
export function lockStateFolder(path: string): StateFolder {
  mkdirSync(path, { recursive: true, mode: 0o700 });
  const ownerFile = join(path, 'owner.pid');
  const db = new DatabaseSync(join(path, 'lock.sqlite'), { timeout: 0 });
  try {
    db.exec('BEGIN EXCLUSIVE');
  } catch {
    db.close();
    const owner = readIfPresent(ownerFile);
    throw new StartError(
      `A Hub of this checkout is already running (process ${owner}): stop it, or start another with --memory`,
    );
  }
  writeFileSync(ownerFile, String(process.pid));
  return {
    path,
    release: () => {
      rmSync(ownerFile, { force: true });
      db.close();
    },
  };
}

const prefix = 'tandry-memory-';

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM';
  }
}

/** A new folder, in memory where the machine has such a place; gone once it is released. */
export function createThrowAwayFolder(): StateFolder {
  const parent = existsSync('/dev/shm') ? '/dev/shm' : tmpdir();
  for (const name of readdirSync(parent)) {
    // What a killed process could not remove itself.
    const pid = Number(
      name.startsWith(prefix) ? name.slice(prefix.length).split('-')[0] : Number.NaN,
    );
    if (pid > 0 && !isAlive(pid)) rmSync(join(parent, name), { recursive: true, force: true });
  }
  const path = mkdtempSync(join(parent, `${prefix}${process.pid}-`));
  return { path, release: () => rmSync(path, { recursive: true, force: true }) };
}
