// What the parts of a join hand to each other.
import type { OperationInput } from '../../protocol/operations/index.ts';
import type { ConversationRow } from '../store/items.ts';
import type { ConversationCall } from './hub.ts';

/** A join under way: the room is known and the account may enter it. */
export interface Joining {
  readonly call: ConversationCall;
  readonly input: OperationInput<'join'>;
  readonly room: string;
  readonly handle: string;
  /** Row of the calling conversation; the website's conversation has none. */
  readonly row: ConversationRow | undefined;
}

/** As whom the conversation is in the room now. */
export interface Joined {
  readonly no: number;
  readonly epoch: number;
  readonly outcome: 'joined' | 'reused' | 'continued';
}
