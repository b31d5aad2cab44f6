// What keeps the stack from starting, said in one line to the person at the terminal.

/** A failure with a cause the person can act on: printed as its message alone, without a trace. */
export class StartError extends Error {
  override name = 'StartError';
}
