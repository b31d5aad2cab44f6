// How contenders for one room's clock take turns: full jitter in a window that follows the clock.
//
// A failed attempt costs a whole transaction, an idle clock costs everybody's time, and nobody
// knows how many contend. What is known:
// - Only members contend, so the first window is as wide as the room is full.
// - Who waits looks at the clock now and then. Where it stands still nobody else is at it, and the
//   rest of the wait is drawn again, from half of it at the most.
// - After an attempt that failed, the pace of the clock tells: slower than `cycle` means that too
//   few are trying and the window shrinks, faster that it may grow.
// - Just before the attempt the clock is watched, because it is free right after it moved.
// All of it is measured in what a transaction takes here lately: when storage is slow everybody has
// to be more patient, not less. Settings were found by simulation, the contention test holds them.

/** Each number but `looks` is a multiple of a transaction's typical time. */
export interface PaceTiming {
  /** First window, for each member of the room. */
  readonly memberWindow: number;
  readonly minWindow: number;
  readonly maxWindow: number;
  /** Time per tick that a well-used clock shows: one transaction's lock and a short gap. */
  readonly cycle: number;
  /** From one look at the clock to the next, for those who wait: longer than most cycles. */
  readonly wait: number;
  /** The same for those whose turn it is. */
  readonly watch: number;
  /** Looks of that watch that may show no movement before an attempt is made all the same. */
  readonly looks: number;
}

export const paceTiming: PaceTiming = {
  memberWindow: 0.35,
  minWindow: 0.8,
  maxWindow: 24,
  cycle: 0.7,
  wait: 1.6,
  watch: 0.08,
  looks: 4,
};

/** What transactions took in this process lately, whoever made them. */
export interface Tempo {
  readonly timing: PaceTiming;
  note(transactionMs: number): void;
  /** Milliseconds; their median, so that one slow transaction says nothing. */
  typicalMs(): number;
}

/** What DynamoDB usually takes, as a start that the first slow answer does not overrule. */
const usualMs = [25, 25, 25];
const remembered = 9;

export function createTempo(timing: PaceTiming = paceTiming): Tempo {
  const recent = [...usualMs];
  return {
    timing,
    note(transactionMs) {
      recent.push(transactionMs);
      if (recent.length > remembered) recent.shift();
    },
    typicalMs: () => Math.max(1, recent.toSorted((a, b) => a - b)[recent.length >> 1] ?? 0),
  };
}

/** One contender's window. */
export interface Pace {
  /** Where in the window to wait this time. */
  delayMs(): number;
  /** What is left of a wait beside a clock that stands still. */
  shorten(restMs: number): number;
  /** Tells the pace what the clock showed just before an attempt. */
  observe(tick: number, nowMs: number): void;
}

const growth = 2;
const shrinkage = 0.4;

/** `members` is how many may contend at the most. */
export function createPace(tempo: Tempo, members: number, random: () => number): Pace {
  const { timing } = tempo;
  const within = (window: number) => Math.min(timing.maxWindow, Math.max(timing.minWindow, window));
  let window = within(members * timing.memberWindow);
  let last: { tick: number; nowMs: number } | undefined;
  return {
    delayMs: () => random() * window * tempo.typicalMs(),
    shorten: (restMs) => (random() * restMs) / 2,
    observe(tick, nowMs) {
      if (last !== undefined) {
        const perTickMs = (nowMs - last.nowMs) / Math.max(tick - last.tick, 0.5);
        const ratio = (timing.cycle * tempo.typicalMs()) / perTickMs;
        window = within(window * Math.min(growth, Math.max(shrinkage, ratio)) ** 2);
      }
      last = { tick, nowMs };
    },
  };
}
