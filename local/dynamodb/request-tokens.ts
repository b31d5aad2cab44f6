// Idempotency tokens of transactions: which are in flight, which are done.
import type { Answer } from './wire.ts';

const lifetimeMs = 10 * 60 * 1000;
const maxRemembered = 10_000;

/** What a token's transaction came to. */
interface Done {
  atMs: number;
  /** Set where the engine never saw the transaction as one and cannot repeat its answer. */
  answer: Answer | undefined;
}

export interface RequestTokens {
  isInFlight(token: string): boolean;
  /** The token's transaction, if it succeeded in the last ten minutes. */
  done(token: string): Done | undefined;
  start(token: string): void;
  /** Ends the flight; only a success is remembered. */
  end(token: string): void;
  succeed(token: string, answer?: Answer): void;
}

export function createRequestTokens(): RequestTokens {
  const inFlight = new Set<string>();
  const remembered = new Map<string, Done>();
  return {
    isInFlight: (token) => inFlight.has(token),
    done(token) {
      const done = remembered.get(token);
      return done !== undefined && Date.now() - done.atMs < lifetimeMs ? done : undefined;
    },
    start: (token) => inFlight.add(token),
    end: (token) => inFlight.delete(token),
    succeed(token, answer) {
      remembered.set(token, { atMs: Date.now(), answer });
      const [oldest] = remembered.keys();
      if (remembered.size > maxRemembered && oldest !== undefined) remembered.delete(oldest);
    },
  };
}
