// Calls of operations as their callers see them, noted with what the table held meanwhile.
import { type ErrorCode, HubError } from '../../../protocol/errors.ts';
import type { HostKind } from '../../../protocol/nouns.ts';
import type {
  OperationName,
  OperationRequest,
  OperationResult,
} from '../../../protocol/operations/index.ts';
import { execute } from '../../operations/execute.ts';
import type { World } from './world.ts';

/** Who calls: a conversation of an account, or the account alone as an observer. */
export interface Caller {
  readonly account: string;
  readonly host?: HostKind;
  readonly conversation?: string;
}

/** The name under which a caller's writes stand in the table's history. */
export const nameOf = ({ account, host, conversation }: Caller) =>
  conversation === undefined ? account : `${account}:${host}:${conversation}`;

/** One call and its answer. */
export interface Observation<Name extends OperationName> {
  readonly operation: Name;
  readonly caller: Caller;
  readonly room: string | undefined;
  readonly input: OperationRequest<Name>;
  readonly result?: OperationResult<Name>;
  readonly code?: ErrorCode;
  readonly beganMs: number;
  readonly tookMs: number;
  /** It saw at least these first commits, and at most those. */
  readonly sawAtLeast: number;
  readonly sawAtMost: number;
}

type Observations = { readonly [Name in OperationName]: Observation<Name>[] };

export interface Observer {
  readonly seen: Observations;
  /** All of them, in the order of their answers. */
  readonly all: Observation<OperationName>[];
  /** Calls an operation; undefined if it was refused. */
  call<Name extends OperationName>(
    operation: Name,
    caller: Caller,
    room: string | undefined,
    input: OperationRequest<Name>,
  ): Promise<OperationResult<Name> | undefined>;
}

export function createObserver(world: World): Observer {
  const all: Observation<OperationName>[] = [];
  const seen: Observations = {
    ...{ login_start: [], login_status: [], logout: [], status: [], devices: [] },
    ...{ revoke_device: [], claim_handle: [], new_room: [], update_room: [], delete_room: [] },
    ...{ join: [], leave: [], rename: [], members: [], send: [], inbox: [], read: [] },
    ...{ history: [], delete_message: [] },
  };
  return {
    seen,
    all,
    async call(operation, caller, room, input) {
      const { account, host, conversation } = caller;
      const began = {
        ...{ operation, caller, room, input },
        beganMs: world.nowMs(),
        sawAtLeast: world.settledCommits(),
      };
      const note = (outcome: Pick<Observation<typeof operation>, 'result' | 'code'>) => {
        const observation = {
          ...began,
          ...outcome,
          tookMs: world.nowMs() - began.beganMs,
          sawAtMost: world.table.commits.length,
        };
        seen[operation].push(observation);
        all.push(observation);
      };
      try {
        const result = await execute(world.hub(nameOf(caller)), {
          ...{ operation, input, bearer: account, room },
          caller: host && conversation ? { host, conversation } : undefined,
        });
        note({ result });
        return result;
      } catch (error) {
        if (!(error instanceof HubError)) throw error;
        note({ code: error.code });
        return undefined;
      }
    },
  };
}
