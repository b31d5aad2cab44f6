// Time as the bridge sees it, so that tests can run two hours in a moment.

export interface Clock {
  /** Milliseconds since 1970. */
  nowMs: () => number;
  /** Runs `action` once after `delayMs`; the result cancels it, and may be called at any time. */
  after: (delayMs: number, action: () => void) => () => void;
}

export const systemClock: Clock = {
  nowMs: () => Date.now(),
  after: (delayMs, action) => {
    const timer = setTimeout(action, delayMs);
    return () => clearTimeout(timer);
  },
};

/** Resolves after `delayMs`, or at once when `signal` is aborted. */
export function pause(clock: Clock, delayMs: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const done = () => {
      cancel();
      signal.removeEventListener('abort', done);
      resolve();
    };
    const cancel = clock.after(delayMs, done);
    signal.addEventListener('abort', done);
  });
}
