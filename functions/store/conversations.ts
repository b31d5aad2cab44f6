// The one place that says which room a conversation is in; its item decides races between rooms.
import { type Condition, put, remove, type Write } from './expressions.ts';
import { type ConversationRow, parseConversation } from './items.ts';
import { keys } from './keys.ts';
import { getItem } from './read.ts';
import type { Table } from './table-port.ts';

/** For this long after leaving, a rejoin finds the bucket it left with (design, section 3). */
export const rejoinMs = 5 * 60_000;

/** A host conversation of one account. */
export interface ConversationKey {
  readonly account: string;
  readonly host: string;
  readonly conversation: string;
}

export async function getConversation(
  table: Table,
  { account, host, conversation }: ConversationKey,
): Promise<ConversationRow | undefined> {
  const item = await getItem(table, keys.conversation(account, host, conversation));
  return item === undefined ? undefined : parseConversation(item);
}

/**
 * Binds a conversation to a member, on the condition that its row is still as it was read: of two
 * joins to two rooms at once one is refused (`conversation`) and then finds the other's room.
 */
export function bindConversation(
  { account, host, conversation }: ConversationKey,
  before: ConversationRow | undefined,
  to: { readonly room: string; readonly no: number; readonly epoch: number },
): Write {
  return put(
    'conversation',
    { ...keys.conversation(account, host, conversation), ...to },
    unchanged(before),
  );
}

function unchanged(before: ConversationRow | undefined): Condition {
  if (before?.room === undefined || before.no === undefined) {
    return { expression: 'attribute_not_exists(room)' };
  }
  return {
    expression: 'room = :room AND #no = :no',
    names: { '#no': 'no' },
    values: { ':room': before.room, ':no': before.no },
  };
}

const isTheirs = (room: string, no: number): Condition => ({
  expression: 'room = :room AND #no = :no',
  names: { '#no': 'no' },
  values: { ':room': room, ':no': no },
});

/** Frees a conversation whose member left, and remembers the stay for a rejoin within minutes. */
export function leaveConversation(
  { account, host, conversation }: ConversationKey,
  room: string,
  no: number,
  nowMs: number,
): Write {
  return put(
    'conversation',
    {
      ...keys.conversation(account, host, conversation),
      lastRoom: room,
      lastNo: no,
      leftAt: nowMs,
      expiresAt: Math.ceil((nowMs + rejoinMs) / 1000),
    },
    isTheirs(room, no),
  );
}

/** Frees the conversation a member was continued from. */
export function releaseConversation(
  { account, host, conversation }: ConversationKey,
  room: string,
  no: number,
): Write {
  return remove(
    'formerConversation',
    keys.conversation(account, host, conversation),
    isTheirs(room, no),
  );
}
