// What a client implements for its host (protocol, section 5, "Shell contract").

/**
 * The host around one conversation. Its questions are asked often and must be answered at once,
 * without throwing, from what the client has last seen; whenever an answer changes, the client
 * calls `Bridge.changed`.
 */
export interface Shell {
  /** Whether the host can start a turn in this conversation without its owner. */
  wakeable: () => boolean;
  /** Whether no turn is running. When in doubt for long, say idle: hosts queue, none interrupts. */
  idle: () => boolean;
  /**
   * Starts or queues a turn with this text. Resolves once the host has taken it, rejects if not;
   * it is then called again (protocol, section 5: after 1, 3 and 9 s).
   */
  wake: (notice: string) => Promise<void>;
  /** One sentence saying why the host is not wakeable; asked only when it is not. */
  unwakeable?: () => string;
}
