// The campaign's own bookkeeping: what each member is owed, what it got, and how long it waited.

/** One message to one member. */
interface Debt {
  readonly id: string;
  readonly seq: number;
  /** When it was committed, or when the member's link came up, if that was later. */
  sinceMs: number;
  isTold: boolean;
}

/** One member's side: messages addressed to it, deliveries, and the wait for a notice. */
export class MemberLedger {
  readonly address: string;
  readonly #debts = new Map<string, Debt>();
  readonly #early = new Set<string>();
  #linkedSinceMs: number | undefined;
  #toldUpTo = 0;
  /** Deliveries by message ID; more than one is fine for push, never for pull. */
  readonly deliveries = new Map<string, number>();
  /** Waits from commit to frame, while linked. */
  readonly waitsMs: number[] = [];

  constructor(address: string) {
    this.address = address;
  }

  owe(id: string, seq: number, nowMs: number): void {
    if (this.#early.delete(id)) return;
    this.#debts.set(id, { id, seq, sinceMs: nowMs, isTold: seq <= this.#toldUpTo });
  }

  linked(nowMs: number): void {
    this.#linkedSinceMs = nowMs;
    // What a former process was told is not what this one knows.
    this.#toldUpTo = 0;
    for (const debt of this.#debts.values()) {
      debt.sinceMs = Math.max(debt.sinceMs, nowMs);
      debt.isTold = false;
    }
  }

  unlinked(): void {
    this.#linkedSinceMs = undefined;
  }

  told(upTo: number, nowMs: number): void {
    this.#toldUpTo = Math.max(this.#toldUpTo, upTo);
    for (const debt of this.#debts.values()) {
      if (debt.seq > upTo || debt.isTold) continue;
      debt.isTold = true;
      if (this.#linkedSinceMs !== undefined) this.waitsMs.push(nowMs - debt.sinceMs);
    }
  }

  delivered(ids: readonly string[]): void {
    for (const id of ids) {
      this.deliveries.set(id, (this.deliveries.get(id) ?? 0) + 1);
      // It may be read before its sender has the answer.
      if (!this.#debts.delete(id) && this.deliveries.get(id) === 1) this.#early.add(id);
    }
  }

  /** Messages addressed to it that it has not read. */
  get outstanding(): number {
    return this.#debts.size;
  }

  /** The longest wait of a linked member that is still not told. */
  waitingMs(nowMs: number): number {
    if (this.#linkedSinceMs === undefined) return 0;
    const waiting = [...this.#debts.values()].filter(({ isTold }) => !isTold);
    return Math.max(0, ...waiting.map(({ sinceMs }) => nowMs - sinceMs));
  }
}
