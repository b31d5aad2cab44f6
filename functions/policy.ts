// Limits and retention through one seam, which a hosted deployment can replace (design, section 3).
import type { BucketPolicy } from './domain/bucket.ts';
import { type PageLimits, protocolPages } from './domain/page.ts';
import type { PolicyEnv } from './env.ts';

/** What an operator decides. Lowering a limit removes nobody. */
export interface Policy {
  readonly membersPerRoom: number;
  /** 0 = no limit. */
  readonly roomsPerOwner: number;
  readonly bodyBytes: number;
  readonly bucket: BucketPolicy;
  /** Copied into a room when it is made. */
  readonly retentionDays: number;
  readonly pullOnlineMs: number;
  readonly joinAttempts: number;
  /** What one answer shows; a binding whose readers take less asks for less. */
  readonly pages: PageLimits;
}

/** The self-hosted policy: what the environment says. */
export function policyFrom(env: PolicyEnv): Policy {
  return {
    membersPerRoom: env.MEMBERS_PER_ROOM,
    roomsPerOwner: env.ROOMS_PER_OWNER,
    bodyBytes: env.BODY_LIMIT_BYTES,
    bucket: { size: env.SEND_BUCKET_SIZE, refillPerMinute: env.SEND_BUCKET_REFILL_PER_MINUTE },
    retentionDays: env.RETENTION_DAYS,
    pullOnlineMs: env.PULL_ONLINE_MINUTES * 60_000,
    joinAttempts: env.JOIN_ATTEMPTS_PER_10_MINUTES,
    pages: protocolPages,
  };
}
