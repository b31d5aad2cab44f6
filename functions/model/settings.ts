// How much the models run, and from which dice; `main.ts` sets it, an ordinary test run does not.
import { inject } from 'vitest';

export interface ModelSettings {
  /** Runs, as a multiple of those of an ordinary test run. */
  readonly times: number;
  readonly seed: number;
  /** Stop at the first failure without looking for a smaller one. */
  readonly isFirstEnough: boolean;
}

declare module 'vitest' {
  interface ProvidedContext {
    model: ModelSettings;
  }
}

const ordinary: ModelSettings = { times: 1, seed: 20_261_130, isFirstEnough: false };

/** The settings of this run; dice are fixed unless `main.ts` was given others. */
export function modelSettings(): ModelSettings {
  const given: ModelSettings | undefined = inject('model');
  return given ?? ordinary;
}
