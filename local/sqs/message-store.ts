// Messages of all queues in one SQLite file, so that none is lost when the stack is killed.
import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import * as z from 'zod';
import { StartError } from '../start-error.ts';
import type { Queue } from './queues.ts';

const schema = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = NORMAL;
  CREATE TABLE IF NOT EXISTS messages (
    id TEXT PRIMARY KEY, queue TEXT NOT NULL, body TEXT NOT NULL, attributes TEXT NOT NULL,
    sentAt INTEGER NOT NULL, visibleAt INTEGER NOT NULL, receiveCount INTEGER NOT NULL,
    firstReceivedAt INTEGER, receipt TEXT);
  CREATE INDEX IF NOT EXISTS byQueue ON messages (queue, visibleAt);
  -- Whoever had received these died with the stack: that attempt is not held against them.
  UPDATE messages SET visibleAt = sentAt, receipt = NULL, receiveCount = receiveCount - 1
    WHERE receipt IS NOT NULL;`;

const MessageRow = z.object({
  id: z.string(),
  body: z.string(),
  attributes: z.string(),
  sentAt: z.number(),
  receiveCount: z.number(),
  firstReceivedAt: z.number().nullable(),
});

/** A message as its receiver sees it; times in milliseconds since the epoch. */
export type Message = {
  id: string;
  body: string;
  /** Message attributes as they were sent. */
  attributes: Record<string, unknown>;
  sentAtMs: number;
  firstReceivedAtMs: number;
  receiveCount: number;
  receipt: string;
};
export type NewMessage = {
  body: string;
  delayMs?: number | undefined;
  attributes?: Record<string, unknown> | undefined;
};
/** Numbers of messages, as a queue's attributes count them. */
export type Depth = { visible: number; inFlight: number; delayed: number };

function openDatabase(folder: string): DatabaseSync {
  mkdirSync(folder, { recursive: true });
  const db = new DatabaseSync(join(folder, 'queues.sqlite'));
  try {
    db.exec(schema);
    return db;
  } catch (error) {
    db.close();
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`The state in ${folder} is damaged (${reason}): remove that folder`);
  }
}

/** The messages of every queue of the stack. */
export class MessageStore {
  readonly #db: DatabaseSync;
  readonly #nowMs: () => number;
  readonly #queues: ReadonlyMap<string, Queue>;
  readonly #waiting = new Set<() => void>();

  /** Opens the file in `folder`; throws a `StartError` when it is damaged. */
  constructor(folder: string, queues: readonly Queue[], nowMs: () => number) {
    this.#db = openDatabase(folder);
    this.#queues = new Map(queues.map((queue) => [queue.arn, queue]));
    this.#nowMs = nowMs;
  }

  /** Puts a message into the queue and returns its ID. */
  send(queue: Queue, { body, delayMs = queue.delayMs, attributes = {} }: NewMessage): string {
    const id = randomUUID();
    const now = this.#nowMs();
    this.#db
      .prepare('INSERT INTO messages VALUES (?, ?, ?, ?, ?, ?, 0, NULL, NULL)')
      .run(id, queue.arn, body, JSON.stringify(attributes), now, now + delayMs);
    this.wake();
    return id;
  }

  /** Hands out visible messages, oldest first, and hides them for the queue's visibility time. */
  receive(queue: Queue, limit: number): Message[] {
    const now = this.#nowMs();
    this.#expire(queue, now);
    this.#redrive(queue, now);
    const rows = this.#db
      .prepare(
        `SELECT id, body, attributes, sentAt, receiveCount, firstReceivedAt FROM messages
         WHERE queue = ? AND visibleAt <= ? ORDER BY sentAt, rowid LIMIT ?`,
      )
      .all(queue.arn, now, limit);
    return z
      .array(MessageRow)
      .parse(rows)
      .map((row) => this.#handOut(queue, row, now));
  }

  /** Removes a message for good; a receipt that is not the latest one removes nothing. */
  delete(receipt: string): void {
    this.#db.prepare('DELETE FROM messages WHERE receipt = ?').run(receipt);
  }

  depth(queue: Queue): Depth {
    const row = this.#db
      .prepare(
        `SELECT count(*) FILTER (WHERE visibleAt <= :now) AS visible,
                count(*) FILTER (WHERE visibleAt > :now AND receipt IS NOT NULL) AS inFlight,
                count(*) FILTER (WHERE visibleAt > :now AND receipt IS NULL) AS delayed
         FROM messages WHERE queue = :queue`,
      )
      .get({ now: this.#nowMs(), queue: queue.arn });
    return z.object({ visible: z.number(), inFlight: z.number(), delayed: z.number() }).parse(row);
  }

  /** Resolves when something was sent or the clock was moved, at the latest after `timeoutMs`. */
  async changed(timeoutMs: number): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, timeoutMs);
    this.#waiting.add(resolve);
    await promise;
    clearTimeout(timer);
    this.#waiting.delete(resolve);
  }

  /** Makes everyone who waits look again. */
  wake(): void {
    for (const resolve of this.#waiting) resolve();
  }

  close(): void {
    this.#db.close();
    this.wake();
  }

  #handOut(queue: Queue, row: z.output<typeof MessageRow>, now: number): Message {
    const receipt = randomUUID();
    const firstReceivedAtMs = row.firstReceivedAt ?? now;
    const receiveCount = row.receiveCount + 1;
    this.#db
      .prepare(
        'UPDATE messages SET receipt = ?, visibleAt = ?, receiveCount = ?, firstReceivedAt = ? WHERE id = ?',
      )
      .run(receipt, now + queue.visibilityMs, receiveCount, firstReceivedAtMs, row.id);
    const { id, body, sentAt: sentAtMs } = row;
    const attributes = z.record(z.string(), z.unknown()).parse(JSON.parse(row.attributes));
    return { id, body, attributes, sentAtMs, firstReceivedAtMs, receiveCount, receipt };
  }

  #expire(queue: Queue, now: number): void {
    this.#db
      .prepare('DELETE FROM messages WHERE queue = ? AND sentAt < ?')
      .run(queue.arn, now - queue.retentionMs);
  }

  /** What was received too often goes to the dead-letter queue and keeps its age. */
  #redrive(queue: Queue, now: number): void {
    const target = queue.redrive && this.#queues.get(queue.redrive.arn);
    if (!queue.redrive || !target) return;
    this.#db
      .prepare(
        `UPDATE messages SET queue = ?, receiveCount = 0, firstReceivedAt = NULL, receipt = NULL
         WHERE queue = ? AND visibleAt <= ? AND receiveCount >= ?`,
      )
      .run(target.arn, queue.arn, now, queue.redrive.maxReceiveCount);
  }
}
