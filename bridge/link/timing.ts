// The link's times (protocol, section 3, "Client timing").
import type { Random } from '../random.ts';

const secondMs = 1_000;
const minuteMs = 60 * secondMs;

export const handshakeTimeoutMs = 15 * secondMs;
export const pingIntervalMs = 60 * secondMs;
/** After a ping; any traffic counts as its answer. */
export const pongTimeoutMs = 10 * secondMs;
export const stateIntervalMs = 5 * minuteMs;
/** How long a closing socket may take to say goodbye. */
export const goodbyeTimeoutMs = 2 * secondMs;
/** A refusal that will not change by itself is tried again this late, in case the Hub did. */
export const refusedRetryMs = 5 * minuteMs;
/** A link that held this long was a good one: the next failure counts as the first. */
export const settledAfterMs = pingIntervalMs;

const reconnectDelaysMs = [1, 2, 5, 15, 30].map((seconds) => seconds * secondMs);
const longestDelayMs = 30 * secondMs;

/** Before the attempt that follows `failures` failures in a row, the first counting as 0. */
export function reconnectDelayMs(failures: number, random: Random): number {
  return (reconnectDelaysMs[failures] ?? longestDelayMs) * (0.75 + random.fraction() * 0.5);
}

/** When a link is replaced, so that it never meets API Gateway's limit of two hours. */
export function rotationDelayMs(random: Random): number {
  return (105 + random.fraction() * 10) * minuteMs;
}
