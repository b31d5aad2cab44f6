// The port through which scenarios call a Hub, the same for every binding.
import type { HostKind } from '../protocol/nouns.ts';
import type {
  OperationName,
  OperationRequest,
  OperationResult,
} from '../protocol/operations/index.ts';

/** A binding that scenarios can be played over; beside links, operations go over HTTP. */
export type PlayedBinding = 'http' | 'mcp' | 'link';

export interface Account {
  /** Immutable ID, as the Hub calls it. */
  readonly id: string;
  /** Null until one is claimed. */
  readonly handle: string | null;
  /** A credential that is valid now. */
  readonly token: () => Promise<string>;
}

/** Who calls, from where. Without an account there is no credential. */
export interface Caller {
  readonly account?: Account | undefined;
  /** Room ID. */
  readonly room?: string | undefined;
  readonly host?: HostKind | undefined;
  /** Names the conversation; where the Hub makes the IDs, a client maps it to the Hub's. */
  readonly conversation?: string | undefined;
}

export interface Client {
  readonly binding: PlayedBinding;
  /** Host kind of conversations where a scenario does not care. */
  readonly usualHost: HostKind;
  /** Gives the result, checked against its schema; throws the refusal as a HubError. */
  call<Name extends OperationName>(
    operation: Name,
    caller: Caller,
    input: OperationRequest<Name>,
  ): Promise<OperationResult<Name>>;
}
