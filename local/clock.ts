// The stack's clock: real time plus a shift that tests change while it runs.

/** Milliseconds since the epoch as the functions and the sign-in stand-in see them. */
export type StackClock = {
  now(): number;
  /** Moves time forward for everything that reads this clock. */
  advance(ms: number): void;
  /** How far ahead of the machine's clock it is. */
  readonly shiftMs: number;
};

/** Makes the clock; `onShift` carries each new shift to whatever keeps a clock of its own. */
export function createClock(
  initialShiftMs: number,
  onShift: (shiftMs: number) => void,
): StackClock {
  let shift = initialShiftMs;
  return {
    now: () => Date.now() + shift,
    advance: (ms) => {
      shift += ms;
      onShift(shift);
    },
    get shiftMs() {
      return shift;
    },
  };
}
