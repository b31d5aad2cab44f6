// Calls of one round and what came of them. A call that ends in `unavailable` is repeated as it is,
// as clients do; only a pull inbox never is.
import { type ErrorCode, HubError } from '../../../protocol/errors.ts';
import { tierOf } from '../../../protocol/nouns.ts';
import type {
  OperationName,
  OperationRequest,
  OperationResult,
} from '../../../protocol/operations/index.ts';
import type { Caller, TestHub } from '../../testing/test-hub.ts';

export interface Attempt<Name extends OperationName> {
  readonly caller: Caller;
  readonly input: OperationRequest<Name>;
  readonly result?: OperationResult<Name>;
  readonly code?: ErrorCode;
}

/** The operations that change a room or hand something over. */
export interface Attempts {
  readonly send: Attempt<'send'>[];
  readonly inbox: Attempt<'inbox'>[];
  readonly read: Attempt<'read'>[];
  readonly join: Attempt<'join'>[];
  readonly leave: Attempt<'leave'>[];
  readonly rename: Attempt<'rename'>[];
  readonly delete_message: Attempt<'delete_message'>[];
  readonly history: Attempt<'history'>[];
  readonly members: Attempt<'members'>[];
}
export type Attempted = keyof Attempts;

export const noAttempts = (): Attempts => ({
  ...{ send: [], inbox: [], read: [], join: [], leave: [], rename: [] },
  ...{ delete_message: [], history: [], members: [] },
});

/** More faults in a row than dice give. */
const patience = 25;

/** Calls until there is an answer; `calls` counts them. */
export async function attempt<Name extends OperationName>(
  { call }: TestHub,
  operation: Name,
  caller: Caller,
  input: OperationRequest<Name>,
  calls: { count: number },
): Promise<Attempt<Name>> {
  const isOnce = operation === 'inbox' && tierOf[caller.host ?? 'web'] === 'pull';
  for (let time = 1; ; time += 1) {
    calls.count += 1;
    try {
      return { caller, input, result: await call(operation, caller, input) };
    } catch (error) {
      if (!(error instanceof HubError)) throw error;
      const isFinal = error.code !== 'unavailable' || isOnce || time === patience;
      if (isFinal) return { caller, input, code: error.code };
    }
  }
}
