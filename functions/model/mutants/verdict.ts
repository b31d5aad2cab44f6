// What a run without one rule tells the test that asked for it, as one line of its output.
import * as z from 'zod';

export const verdictMark = 'verdict ';

export const Verdict = z.object({
  /** Patches that did not fit, and tests that were not found. */
  faults: z.array(z.string()),
  /** What went wrong, each under the name of its property. */
  violations: z.array(z.string()),
});
export type Verdict = z.infer<typeof Verdict>;
