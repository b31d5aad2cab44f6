// The stack's clock: real time plus a shift that tests change while it runs.

/** Milliseconds since the epoch as the functions and the sign-in stand-in see them. */
export type StackClock = {
  now(): number;
  /** Moves time forward for everything that goes by this clock. */
  advance(ms: number): void;
  /** How far ahead of the machine's clock it is. */
  readonly shiftMs: number;
  /** Has the new shift told to whatever keeps a clock of its own. */
  onShift(listener: (shiftMs: number) => void): void;
};

export function createClock(initialShiftMs: number): StackClock {
  const listeners: ((shiftMs: number) => void)[] = [];
  let shift = initialShiftMs;
  return {
    now: () => Date.now() + shift,
    advance: (ms) => {
      shift += ms;
      for (const listener of listeners) listener(shift);
    },
    get shiftMs() {
      return shift;
    },
    onShift: (listener) => void listeners.push(listener),
  };
}
