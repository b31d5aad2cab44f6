// Lets a test run the stand-in at another time: oidc-provider reads Date.now() and has no seam.
import { AsyncLocalStorage } from 'node:async_hooks';

const scope = new AsyncLocalStorage<() => number>();
let isInstalled = false;

function install() {
  if (isInstalled) return;
  isInstalled = true;
  const realNow = Date.now;
  Date.now = () => {
    const nowMs = scope.getStore();
    // Outside the scope again: nowMs itself may well be written in terms of Date.now().
    return nowMs === undefined ? realNow() : scope.exit(nowMs);
  };
}

/** Runs `task`, and all it awaits, with `Date.now()` answered by `nowMs`; others see real time. */
export function withClock<Result>(nowMs: () => number, task: () => Result): Result {
  install();
  return scope.run(nowMs, task);
}
