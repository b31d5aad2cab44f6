// How the MCP server knows that a monitor listens, also after the monitor was killed.

/** The monitor writes its lease this often. */
export const leaseRenewalMs = 3_000;
/** An older lease is none: a few renewals may be late on a busy machine. */
export const leaseMs = 12_000;
