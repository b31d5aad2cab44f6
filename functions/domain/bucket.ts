// The send bucket: continuous refill, one token per recipient, at least one (protocol, limits).
import type { Bucket, TimeMs } from './room.ts';

export interface BucketPolicy {
  readonly size: number;
  readonly refillPerMinute: number;
}

/** A bucket that has never been used. */
export function fullBucket(policy: BucketPolicy, nowMs: TimeMs): Bucket {
  return { tokens: policy.size, at: nowMs };
}

/**
 * Charges a send to `recipients` members. A cost above the bucket's size counts as the whole
 * bucket, else a broadcast to a large room could never be sent. Clocks of two functions may
 * disagree: elapsed time is never negative and `at` never moves back.
 */
export function charge(
  bucket: Bucket,
  recipients: number,
  policy: BucketPolicy,
  nowMs: TimeMs,
): { readonly bucket: Bucket } | { readonly retryAfterSeconds: number } {
  const cost = Math.min(Math.max(1, recipients), policy.size);
  const at = Math.max(bucket.at, nowMs);
  const refilled = ((at - bucket.at) / 60_000) * policy.refillPerMinute;
  const tokens = Math.min(policy.size, bucket.tokens + refilled);
  if (tokens >= cost) return { bucket: { tokens: tokens - cost, at } };
  return { retryAfterSeconds: Math.ceil(((cost - tokens) / policy.refillPerMinute) * 60) };
}
