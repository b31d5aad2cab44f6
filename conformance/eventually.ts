// Waiting for what a Hub shows some time after it was caused.
import { setTimeout } from 'node:timers/promises';

const patienceMs = 30_000;
const intervalMs = 50;

/** Reads until it is so; fails with what was read last if that takes too long. */
export async function eventually<Value>(
  what: string,
  read: () => Promise<Value>,
  isSo: (value: Value) => boolean,
): Promise<Value> {
  const untilMs = performance.now() + patienceMs;
  for (;;) {
    const value = await read();
    if (isSo(value)) return value;
    if (performance.now() > untilMs) throw new Error(`not ${what}: ${JSON.stringify(value)}`);
    await setTimeout(intervalMs);
  }
}
