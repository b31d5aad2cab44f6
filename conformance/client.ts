// The port through which scenarios call a Hub, the same for every binding.
import * as z from 'zod';
import type { HostKind } from '../protocol/nouns.ts';
import type {
  OperationName,
  OperationRequest,
  OperationResult,
} from '../protocol/operations/index.ts';

/**
 * A binding that scenarios can be played over. Beside links, and with tokens of machines,
 * operations go over HTTP.
 */
export const playedBindings = ['http', 'mcp', 'link', 'sign-in'] as const;
export type PlayedBinding = (typeof playedBindings)[number];

/** A host whose chats connect over MCP. */
export const ChatHost = z.enum(['web', 'claude-web', 'chatgpt-web']);
export type ChatHost = z.infer<typeof ChatHost>;

export type Decision = 'approve' | 'decline';
export type StartedLogin = Pick<OperationResult<'login_start'>, 'url' | 'userCode'>;

export interface Account {
  /** Immutable ID, as the Hub calls it. */
  readonly id: string;
  /** Null until one is claimed. */
  readonly handle: string | null;
  /** A credential that is valid now. */
  readonly token: () => Promise<string>;
  /** A token of its chats of that host; absent where none can be connected. */
  readonly connectorToken?: (host: ChatHost) => Promise<string>;
  /** Decides a machine’s sign-in on the device page; absent where nobody can. */
  readonly decideLogin?: (login: StartedLogin, decision: Decision) => Promise<void>;
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
