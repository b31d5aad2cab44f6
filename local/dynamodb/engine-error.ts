// A start that failed for a reason the person at the terminal can act on.

/** Its message is one line that says what is wrong and what to do; no stack is worth showing. */
export class EngineError extends Error {
  override name = 'EngineError';
}
