// What the members of a room do, drawn by lot: rounds of steps that happen at the same time.
import fc from 'fast-check';

/** `who`, `whom` and `what` are picked among those that are there when the step runs. */
export interface Step {
  readonly kind:
    | 'say'
    | 'say to room'
    | 'whisper'
    | 'reply'
    | 'repeat'
    | 'read'
    | 'inbox'
    | 'join'
    | 'join again'
    | 'leave'
    | 'rename'
    | 'continue'
    | 'delete';
  readonly who: number;
  readonly whom: number;
  readonly what: number;
}

const kinds: fc.Arbitrary<Step['kind']> = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom('say', 'say to room', 'whisper', 'reply') },
  { weight: 4, arbitrary: fc.constantFrom('read', 'inbox') },
  { weight: 1, arbitrary: fc.constantFrom('repeat', 'delete') },
  { weight: 2, arbitrary: fc.constantFrom('join', 'join again', 'leave', 'rename', 'continue') },
);

const lot = fc.nat({ max: 1_000 });
const step: fc.Arbitrary<Step> = fc.record({ kind: kinds, who: lot, whom: lot, what: lot });

/** A sequence: one to three rounds of one to three steps at once. */
export const sequence: fc.Arbitrary<readonly (readonly Step[])[]> = fc.array(
  fc.array(step, { minLength: 1, maxLength: 3 }),
  { minLength: 1, maxLength: 3 },
);
