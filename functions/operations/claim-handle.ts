// claim_handle: an account's handle, once and for good.
import { HubError } from '../../protocol/errors.ts';
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import { getProfile, putHandle } from '../store/accounts.ts';
import type { Deadline, Table } from '../store/table-port.ts';
import { transact } from '../store/write.ts';
import type { AccountCall } from './hub.ts';

const patienceMs = 8_000;

export async function claimHandle(
  { hub, deadline, principal }: AccountCall,
  { handle }: OperationInput<'claim_handle'>,
): Promise<OperationResult<'claim_handle'>> {
  if (principal.kind !== 'website') {
    throw new HubError('forbidden', 'a handle is picked by its owner on the website');
  }
  const own = await claim(hub.table, deadline, principal.account, handle);
  if (own === handle) return { account: { id: principal.account, handle } };
  if (own !== undefined) {
    throw new HubError('invalid_input', `this account is ${own}; a handle is never changed`);
  }
  throw new HubError('name_taken', `the handle ${handle} belongs to another account`);
}

/** The same for a person whom the sign-in pages ask; an account that has a handle keeps it. */
export async function claimHandleFor(
  table: Table,
  account: string,
  handle: string,
): Promise<'claimed' | 'taken'> {
  const deadline = { atMs: table.nowMs() + patienceMs };
  const own = await claim(table, deadline, account, handle);
  return own === undefined ? 'taken' : 'claimed';
}

/** The account's handle afterwards; undefined if it has none because the handle is another's. */
async function claim(
  table: Table,
  deadline: Deadline,
  account: string,
  handle: string,
): Promise<string | undefined> {
  const refused = await transact(table, deadline, putHandle(account, handle, table.nowMs()));
  return refused.size === 0 ? handle : (await getProfile(table, account))?.handle;
}
