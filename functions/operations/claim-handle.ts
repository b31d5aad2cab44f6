// claim_handle: an account's handle, once and for good.
import { HubError } from '../../protocol/errors.ts';
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import { getProfile, putHandle } from '../store/accounts.ts';
import { transact } from '../store/write.ts';
import type { AccountCall } from './hub.ts';

export async function claimHandle(
  { hub, deadline, principal }: AccountCall,
  { handle }: OperationInput<'claim_handle'>,
): Promise<OperationResult<'claim_handle'>> {
  if (principal.kind !== 'website') {
    throw new HubError('forbidden', 'a handle is picked by its owner on the website');
  }
  const { table } = hub;
  const refused = await transact(
    table,
    deadline,
    putHandle(principal.account, handle, table.nowMs()),
  );
  if (refused.size === 0) return { account: { id: principal.account, handle } };
  const own = (await getProfile(table, principal.account))?.handle;
  if (own === handle) return { account: { id: principal.account, handle } };
  if (own !== undefined) {
    throw new HubError('invalid_input', `this account is ${own}; a handle is never changed`);
  }
  throw new HubError('name_taken', `the handle ${handle} belongs to another account`);
}
