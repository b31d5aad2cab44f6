// Lots as the bridge draws them: bytes for IDs and nonces, fractions to spread reconnections.

export interface Random {
  /** Unpredictable bytes. */
  bytes: (count: number) => Uint8Array;
  /** From 0 to below 1. */
  fraction: () => number;
}

export const systemRandom: Random = {
  bytes: (count) => globalThis.crypto.getRandomValues(new Uint8Array(count)),
  fraction: () => Math.random(),
};
