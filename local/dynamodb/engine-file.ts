// The engine's database file: made before the first start with the index its writes need, trimmed
// and checked before every later one.
import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { EngineError } from './engine-error.ts';

// The engine finds the next sequence number by a MAX over this expression. Without an index that is
// a scan of the whole stream at every write; it keeps an index that is already there.
const schema = `
  CREATE TABLE IF NOT EXISTS _stream_records (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    table_name TEXT NOT NULL,
    event_name TEXT NOT NULL,
    keys_json TEXT NOT NULL,
    new_image TEXT,
    old_image TEXT,
    sequence_number TEXT NOT NULL,
    shard_id TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    user_identity TEXT
  );
  CREATE INDEX IF NOT EXISTS stream_sequence
    ON _stream_records (table_name, CAST(sequence_number AS INTEGER));`;

// The newest record of a table stays: the next number is the highest one plus one.
const trim = `
  DELETE FROM _stream_records
  WHERE created_at < ? AND id NOT IN (SELECT MAX(id) FROM _stream_records GROUP BY table_name)`;

/**
 * Makes the file fit for the engine. Stream records older than 24 hours go, as they do in DynamoDB.
 * Throws an EngineError when the file is damaged, or when another engine runs on it.
 */
export function prepareEngineFile(path: string): void {
  const isOld = existsSync(path);
  const database = new DatabaseSync(path);
  try {
    // Refused while any other process has the file open; one that is just ending gets a moment.
    database.exec('PRAGMA busy_timeout = 1000');
    database.exec('PRAGMA locking_mode = EXCLUSIVE');
    if (isOld) checkIntegrity(database);
    database.exec(schema);
    if (isOld) database.prepare(trim).run(Math.floor(Date.now() / 1000) - 24 * 60 * 60);
  } catch (error) {
    throw explain(path, error);
  } finally {
    database.close();
  }
}

function checkIntegrity(database: DatabaseSync): void {
  const row = database.prepare('PRAGMA quick_check(1)').get();
  if (row?.['quick_check'] !== 'ok') throw new Error(String(row?.['quick_check']));
}

function explain(path: string, error: unknown): EngineError {
  const reason = error instanceof Error ? error.message.split('\n')[0] : String(error);
  if (reason === 'database is locked') {
    return new EngineError(`The database file ${path} is in use: is this stack running already?`);
  }
  return new EngineError(
    `The database file ${path} is damaged (${reason}): delete it to start empty,` +
      ' or restore a copy.',
  );
}
