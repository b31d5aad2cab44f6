// How contenders for one room's clock take turns: full jitter in a window that follows the clock.
//
// A failed attempt costs a whole transaction, an idle clock costs everybody's time. With a constant
// window one of the two always loses as senders come and go. So the window starts at what the room
// could need, because only its members contend: two alone in a room meet again at once, fifty do
// not. Then the clock itself tells how crowded it is: when it ticks slower than `cycleMs`, too few
// are trying and the window shrinks; when it ticks faster, it grows. Just before an attempt the
// clock is watched for a moment, since right after a tick is when the next one is free. Settings
// were found by simulation and are held by the contention test.

/** Milliseconds throughout. */
export interface PaceTiming {
  /** First window, for each member of the room. */
  readonly memberWindowMs: number;
  readonly minWindowMs: number;
  readonly maxWindowMs: number;
  /** Time per tick that a well-used clock shows: one transaction's lock and a short gap. */
  readonly cycleMs: number;
  /** Pause between two looks at a clock that is about to move. */
  readonly lookMs: number;
}

export const paceTiming: PaceTiming = {
  memberWindowMs: 7,
  minWindowMs: 20,
  maxWindowMs: 600,
  cycleMs: 22,
  lookMs: 2,
};

/** Looks at the clock that may show no movement before an attempt is made all the same. */
export const maxLooks = 4;

/** One contender's window. */
export interface Pace {
  /** Where in the window to wait this time. */
  delayMs(): number;
  /** Tells the pace what the clock showed just before an attempt. */
  observe(tick: number, nowMs: number): void;
}

const growth = 2;
const shrinkage = 0.4;

/** `members` is how many may contend at the most. */
export function createPace(timing: PaceTiming, members: number, random: () => number): Pace {
  const within = (ms: number) => Math.min(timing.maxWindowMs, Math.max(timing.minWindowMs, ms));
  let windowMs = within(members * timing.memberWindowMs);
  let last: { tick: number; nowMs: number } | undefined;
  return {
    delayMs: () => random() * windowMs,
    observe(tick, nowMs) {
      if (last !== undefined) {
        const perTickMs = (nowMs - last.nowMs) / Math.max(tick - last.tick, 0.5);
        const factor = Math.min(growth, Math.max(shrinkage, timing.cycleMs / perTickMs)) ** 2;
        windowMs = within(windowMs * factor);
      }
      last = { tick, nowMs };
    },
  };
}
