// revoke_device: a machine's token is dead at once, and its links closed.
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import { deleteDevice } from '../store/devices.ts';
import type { AccountCall } from './hub.ts';
import { endDeviceLinks } from './link/end-all.ts';

export async function revokeDevice(
  { hub, deadline, principal }: AccountCall,
  { id }: OperationInput<'revoke_device'>,
): Promise<OperationResult<'revoke_device'>> {
  await deleteDevice(hub.table, deadline, principal.account, id);
  // After the token, so that no link can be opened behind the ones that are closed.
  await endDeviceLinks(hub, principal.account, id);
  return {};
}
