// Token buckets of a stage: how many requests a second its routes let through.

/** Limits as they stand in the template. */
export type RouteLimits = { burst: number; ratePerSecond: number };

/** Answers per route whether one more request may pass now; without limits, always. */
export function createThrottle(
  stage: RouteLimits | undefined,
  byRoute: Readonly<Record<string, RouteLimits>>,
  nowMs: () => number,
): (routeKey: string) => boolean {
  const buckets = new Map<string, { tokens: number; atMs: number }>();
  return (routeKey) => {
    const limits = byRoute[routeKey] ?? stage;
    if (!limits) return true;
    const now = nowMs();
    const bucket = buckets.get(routeKey) ?? { tokens: limits.burst, atMs: now };
    const refilled = bucket.tokens + ((now - bucket.atMs) / 1_000) * limits.ratePerSecond;
    const tokens = Math.min(limits.burst, refilled);
    const passes = tokens >= 1;
    buckets.set(routeKey, { tokens: passes ? tokens - 1 : tokens, atMs: now });
    return passes;
  };
}
