import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type BucketPolicy, charge, fullBucket } from './bucket.ts';
import type { Bucket } from './room.ts';

const policy: BucketPolicy = { size: 60, refillPerMinute: 20 };
const minuteMs = 60_000;

function spend(bucket: Bucket, recipients: number, nowMs: number): Bucket {
  const outcome = charge(bucket, recipients, policy, nowMs);
  if (!('bucket' in outcome)) throw new Error(`refused for ${outcome.retryAfterSeconds} s`);
  return outcome.bucket;
}

describe('the send bucket', () => {
  it('costs one token per recipient, at least one', () => {
    const full = fullBucket(policy, 0);
    expect(spend(full, 0, 0).tokens).toBe(59);
    expect(spend(full, 1, 0).tokens).toBe(59);
    expect(spend(full, 7, 0).tokens).toBe(53);
  });

  it('refills twenty a minute, continuously, and never over its size', () => {
    const empty = { tokens: 0, at: 0 };
    expect(spend(empty, 1, 3_000).tokens).toBe(0);
    expect(spend(empty, 1, minuteMs).tokens).toBe(19);
    expect(spend(empty, 1, 60 * minuteMs).tokens).toBe(59);
  });

  it('says after how many seconds the missing tokens are there', () => {
    expect(charge({ tokens: 0, at: 0 }, 1, policy, 0)).toEqual({ retryAfterSeconds: 3 });
    expect(charge({ tokens: 0.5, at: 0 }, 1, policy, 0)).toEqual({ retryAfterSeconds: 2 });
    expect(charge({ tokens: 0, at: 0 }, 50, policy, 0)).toEqual({ retryAfterSeconds: 150 });
  });

  it('lets a broadcast through that costs more than the bucket holds, for a full bucket', () => {
    expect(spend(fullBucket(policy, 0), 500, 0).tokens).toBe(0);
    expect(charge({ tokens: 59, at: 0 }, 500, policy, 0)).toEqual({ retryAfterSeconds: 3 });
  });

  it('takes no harm from a clock that goes back', () => {
    const later = { tokens: 10, at: 10_000 };
    expect(spend(later, 1, 0)).toEqual({ tokens: 9, at: 10_000 });
  });

  it('never gives more than its size and refill in any stretch of time', () => {
    const steps = fc.array(
      fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 0, max: 70 })),
    );
    fc.assert(
      fc.property(steps, (sends) => {
        let bucket = fullBucket(policy, 0);
        let nowMs = 0;
        let spent = 0;
        for (const [waitMs, recipients] of sends) {
          nowMs += waitMs;
          const outcome = charge(bucket, recipients, policy, nowMs);
          if (!('bucket' in outcome)) continue;
          bucket = outcome.bucket;
          spent += Math.min(Math.max(1, recipients), policy.size);
        }
        expect(spent).toBeLessThanOrEqual(policy.size + (nowMs / minuteMs) * 20 + 1e-6);
        expect(bucket.tokens).toBeGreaterThanOrEqual(0);
      }),
    );
  });

  it('is open again exactly when it said', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0, max: 60, noNaN: true }),
        fc.integer({ min: 1, max: 60 }),
        (tokens, recipients) => {
          const refused = charge({ tokens, at: 0 }, recipients, policy, 0);
          if ('bucket' in refused) return;
          const waitMs = refused.retryAfterSeconds * 1000;
          expect(charge({ tokens, at: 0 }, recipients, policy, waitMs + 1)).toHaveProperty(
            'bucket',
          );
          expect(charge({ tokens, at: 0 }, recipients, policy, waitMs - 1_001)).not.toHaveProperty(
            'bucket',
          );
        },
      ),
    );
  });
});
