// What an operation is: a name, who may call it, what it takes, gives and refuses. Every binding,
// client and tool is derived from this one definition.
import * as z from 'zod';
import type { ErrorCode } from '../errors.ts';
import { isWellFormedJson } from '../text.ts';

/** What a call needs besides its input: nothing, a credential, or a credential and a room. */
export type Scope = 'none' | 'account' | 'room';

/**
 * As whom it acts. `conversation`: needs a calling conversation, in a room or not.
 * `member`: the room's present member of that conversation. `member_or_observer`: the same, or
 * without a conversation as an observer (protocol, section 2, "Membership").
 */
export type Caller = 'conversation' | 'member' | 'member_or_observer';

/** Refusals that need not be said operation by operation. */
const errorsOfScope: Readonly<Record<Scope, readonly ErrorCode[]>> = {
  none: ['invalid_input', 'upgrade_required', 'unavailable'],
  account: ['invalid_input', 'upgrade_required', 'unavailable', 'not_logged_in', 'forbidden'],
  room: [
    'invalid_input',
    'upgrade_required',
    'unavailable',
    'not_logged_in',
    'forbidden',
    'not_in_room',
  ],
};

interface Draft<Name, OfScope, AsCaller, Fields extends z.ZodObject, Output> {
  name: Name;
  scope: OfScope;
  caller?: AsCaller;
  input: () => Fields;
  /** What must hold between fields; checked once each of them is right. */
  rule?: { holds: (input: z.output<Fields>) => boolean; message: string };
  output: () => Output;
  /** Codes beyond those of every operation of its scope. */
  errors: readonly ErrorCode[];
}

/**
 * Completes a definition; its schemas are made when they are first asked for. `input` also refuses
 * lone surrogates anywhere and applies the rule, while `fields` stays a plain object schema to pick
 * from. Parsing a parsed input changes nothing.
 */
export function defineOperation<
  const Name extends string,
  OfScope extends Scope,
  Fields extends z.ZodObject,
  Output extends z.ZodType,
  AsCaller extends Caller | undefined = undefined,
>(draft: Draft<Name, OfScope, AsCaller, Fields, Output>) {
  const { rule } = draft;
  const fields = once(draft.input);
  const output = once(draft.output);
  const input = once(() =>
    z
      .preprocess(refuseLoneSurrogates, fields())
      .refine((value) => rule === undefined || rule.holds(value), { error: rule?.message }),
  );
  return {
    name: draft.name,
    scope: draft.scope,
    caller: draft.caller,
    get fields() {
      return fields();
    },
    get input() {
      return input();
    },
    get output() {
      return output();
    },
    errors: [...errorsOfScope[draft.scope], ...draft.errors],
  };
}

/** A function that starts answers one operation: it makes no schema of the others. */
function once<Schema>(make: () => Schema): () => Schema {
  let made: Schema | undefined;
  return () => {
    made ??= make();
    return made;
  };
}

function refuseLoneSurrogates(input: unknown, { addIssue }: z.RefinementCtx): unknown {
  if (!isWellFormedJson(input)) addIssue('text with a lone surrogate');
  return input;
}
