// What comes of an invocation, as Lambda tells it to whoever invoked.
import type { FunctionError } from './messages.ts';

/** The handler's result as JSON, or an error as Lambda words it. */
export type Outcome = { ok: true; payload: string } | { ok: false; error: FunctionError };

export const failed = (errorType: string, errorMessage: string): Outcome => ({
  ok: false,
  error: { errorType, errorMessage },
});

/** One finished invocation, for whoever measures. */
export type Report = {
  /** Logical ID. */
  functionId: string;
  requestId: string;
  /** How long its environment took to load the handler; `undefined` when it was warm. */
  initMs: number | undefined;
  durationMs: number;
  outcome: Outcome;
};
