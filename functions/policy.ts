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
  readonly signIn: SignInPolicy;
}

/** How often one address or one person may try to sign in. */
export interface SignInPolicy {
  readonly deviceCodesPerHour: number;
  readonly registrationsPerHour: number;
  readonly authorizationsPerMinute: number;
  readonly tokenRequestsPerMinute: number;
  /** Documents of unknown clients that are fetched for one address. */
  readonly documentsPerHour: number;
  /** Wrong user codes of one account in 15 minutes. */
  readonly userCodeAttempts: number;
  /** An address of this machine gets so many times as much: a Hub under development. */
  readonly loopbackFactor: number;
}

const loopback = /^(127\.|::1$)/;

/** A limit per address, as it applies to this one. */
export function limitFor({ loopbackFactor }: SignInPolicy, limit: number, address: string): number {
  return loopback.test(address) ? limit * loopbackFactor : limit;
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
    signIn: {
      deviceCodesPerHour: env.DEVICE_CODES_PER_HOUR,
      registrationsPerHour: env.CLIENT_REGISTRATIONS_PER_HOUR,
      authorizationsPerMinute: env.AUTHORIZATIONS_PER_MINUTE,
      tokenRequestsPerMinute: env.TOKEN_REQUESTS_PER_MINUTE,
      documentsPerHour: env.CLIENT_DOCUMENTS_PER_HOUR,
      userCodeAttempts: env.USER_CODE_ATTEMPTS_PER_15_MINUTES,
      loopbackFactor: env.LOOPBACK_SIGN_IN_FACTOR,
    },
  };
}
