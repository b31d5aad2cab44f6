// Which records of a stream are done with, when several are worked on at once and out of order.

type Entry = { sequenceNumber: string; createdAtMs: number; isDone: boolean };

/** Keeps the records read so far in order, and says up to where all of them are done. */
export class Progress {
  readonly #entries: Entry[] = [];
  readonly #open = new Map<string, Entry>();

  /** How many records were read and are not done, or wait for one before them. */
  get size(): number {
    return this.#entries.length;
  }

  /** When the oldest record that is not done was written. */
  get oldestCreatedAtMs(): number | undefined {
    return this.#entries[0]?.createdAtMs;
  }

  add(sequenceNumber: string, createdAtMs: number): void {
    const entry = { sequenceNumber, createdAtMs, isDone: false };
    this.#entries.push(entry);
    this.#open.set(sequenceNumber, entry);
  }

  /** Marks records as done; returns the new checkpoint if that moves it. */
  finish(sequenceNumbers: readonly string[]): string | undefined {
    for (const sequenceNumber of sequenceNumbers) {
      const entry = this.#open.get(sequenceNumber);
      if (entry) entry.isDone = true;
      this.#open.delete(sequenceNumber);
    }
    let checkpoint: string | undefined;
    while (this.#entries[0]?.isDone) checkpoint = this.#entries.shift()?.sequenceNumber;
    return checkpoint;
  }
}
