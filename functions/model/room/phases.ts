// Which processes of which conversations do their steps side by side.
import * as fc from 'fast-check';
import type { Conversation } from './fixture.ts';
import type { Step } from './steps.ts';

/** One process of a conversation and what it does, step after step. */
export interface Process {
  readonly caller: Conversation;
  readonly steps: readonly Step[];
}
/** Processes that run side by side, after some time has passed. */
export interface Phase {
  readonly passHours: number;
  readonly processes: readonly Process[];
}

type Weighted = readonly (readonly [weight: number, step: fc.Arbitrary<Step>])[];

export function processOf(
  conversations: readonly Conversation[],
  choice: Weighted,
  maxSteps = 3,
): fc.Arbitrary<Process> {
  const anyStep = fc.oneof(...choice.map(([weight, arbitrary]) => ({ weight, arbitrary })));
  return fc.record({
    caller: fc.constantFrom(...conversations),
    steps: fc.array(anyStep, { minLength: 1, maxLength: maxSteps }),
  });
}

export function phases(
  processes: fc.Arbitrary<Process>,
  {
    maxPhases = 2,
    maxProcesses = 4,
    hours = [0],
  }: {
    readonly maxPhases?: number;
    readonly maxProcesses?: number;
    readonly hours?: readonly number[];
  } = {},
): fc.Arbitrary<Phase[]> {
  const phase = fc.record({
    passHours: fc.constantFrom(...hours),
    processes: fc.array(processes, { minLength: 2, maxLength: maxProcesses }),
  });
  return fc.array(phase, { minLength: 1, maxLength: maxPhases });
}
