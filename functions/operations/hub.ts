// What every operation works with, and as whom it is called.
import type { CallingConversation } from '../../protocol/wire.ts';
import type { Authenticate, Principal } from '../auth/principal.ts';
import type { Clock } from '../domain/room.ts';
import type { Policy } from '../policy.ts';
import type { Stay } from '../store/positions.ts';
import type { Deadline, Table } from '../store/table-port.ts';
import type { Connections } from './link/connections.ts';

/** The Hub's surroundings; made once per cold start. */
export interface Hub {
  readonly table: Table;
  readonly policy: Policy;
  readonly authenticate: Authenticate;
  readonly randomBytes: (count: number) => Uint8Array;
  readonly log: (line: LogLine) => void;
  readonly connections: Connections;
  /**
   * Where people reach the Hub, without a slash at the end. Only the function that signs in knows.
   */
  readonly url?: string | undefined;
}

/** What reading needs of the Hub. */
export type Stored = Pick<Hub, 'table'>;

/** One line per operation: chosen fields, never a body, an intro, a token or an email. */
export interface LogLine {
  readonly level: 'info' | 'warn' | 'error';
  readonly operation: string;
  readonly outcome: string;
  readonly host?: string | undefined;
  readonly ms: number;
  /** Name of the fault behind `unavailable`. */
  readonly fault?: string | undefined;
}

/** A call that needs no credential; `address` is the caller's, where the binding knows one. */
export interface OpenCall {
  readonly hub: Hub;
  readonly deadline: Deadline;
  readonly address: string | undefined;
}

/** A call of an account. */
export interface AccountCall {
  readonly hub: Hub;
  readonly deadline: Deadline;
  readonly principal: Principal;
}

/** A call that names its conversation, in a room or not. */
export interface ConversationCall extends AccountCall {
  readonly caller: CallingConversation;
}

/** The caller as the present member its conversation backs. */
export interface MemberSeat extends Stay {
  readonly kind: 'member';
  readonly caller: CallingConversation;
}

/** The caller as an account without a conversation: the owner, or one with a present member. */
export interface ObserverSeat {
  readonly kind: 'observer';
  readonly room: string;
  readonly isOwner: boolean;
  /** Every stay its account has or had here. */
  readonly stays: readonly number[];
}

/** A call in a room; `clock` was read together with the membership. */
export interface RoomCall<Seat = MemberSeat | ObserverSeat> extends AccountCall {
  readonly clock: Clock;
  readonly seat: Seat;
}

export type MemberCall = RoomCall<MemberSeat>;
