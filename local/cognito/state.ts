// Everything the stand-in remembers, in one SQLite file that only its owner can read.
import { closeSync, mkdirSync, openSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { StartError } from '../start-error.ts';

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  PRAGMA busy_timeout = 5000;
  CREATE TABLE IF NOT EXISTS secrets (name TEXT PRIMARY KEY, value TEXT NOT NULL) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS users (email TEXT PRIMARY KEY, sub TEXT NOT NULL UNIQUE) WITHOUT ROWID;
  CREATE TABLE IF NOT EXISTS records (
    model TEXT NOT NULL, id TEXT NOT NULL, payload TEXT NOT NULL,
    grant_id TEXT, uid TEXT, expires_at INTEGER,
    PRIMARY KEY (model, id)
  ) WITHOUT ROWID;
  CREATE INDEX IF NOT EXISTS records_by_grant ON records (grant_id);
  CREATE INDEX IF NOT EXISTS records_by_uid ON records (uid);
  CREATE INDEX IF NOT EXISTS records_by_expiry ON records (expires_at);
`;

/**
 * Opens (or makes) the state in `folder`; throws one line that names the folder if it is damaged.
 * The file is created 0600 beforehand; SQLite gives its journal files the same mode.
 */
export function openState(folder: string): DatabaseSync {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, 'cognito.sqlite');
  closeSync(openSync(file, 'a', 0o600));
  try {
    const db = new DatabaseSync(file);
    db.exec(schema);
    return db;
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new StartError(`Sign-in state in ${folder} is damaged (${reason}): remove that folder`, {
      cause,
    });
  }
}
