// For tests: a clock that stands still until it is told to go on. Sockets stay real.
import type { Clock } from '../clock.ts';

interface Timer {
  readonly atMs: number;
  readonly action: () => void;
}

export class ManualClock implements Clock {
  #nowMs = Date.UTC(2026, 10, 30, 14, 11);
  readonly #timers = new Set<Timer>();

  readonly nowMs = () => this.#nowMs;

  readonly after = (delayMs: number, action: () => void) => {
    const timer = { atMs: this.#nowMs + delayMs, action };
    this.#timers.add(timer);
    return () => {
      this.#timers.delete(timer);
    };
  };

  /** Goes on by that much, running what falls due in its order. */
  advance(byMs: number): void {
    const untilMs = this.#nowMs + byMs;
    for (let next = this.#next(untilMs); next !== undefined; next = this.#next(untilMs)) {
      this.#nowMs = next.atMs;
      this.#timers.delete(next);
      next.action();
    }
    this.#nowMs = untilMs;
  }

  /** How long until each timer that waits, shortest first. */
  get delaysMs(): number[] {
    return Array.from(this.#timers, ({ atMs }) => atMs - this.#nowMs).toSorted((a, b) => a - b);
  }

  #next(untilMs: number): Timer | undefined {
    return Array.from(this.#timers)
      .filter(({ atMs }) => atMs <= untilMs)
      .toSorted((a, b) => a.atMs - b.atMs)[0];
  }
}
