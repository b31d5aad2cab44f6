// logout: the credential that calls is dead at once, and its links closed.
import type { OperationResult } from '../../protocol/operations/index.ts';
import { putEndedSession } from '../store/tokens.ts';
import type { AccountCall } from './hub.ts';
import { endDeviceLinks } from './link/end-all.ts';
import { revokeDevice } from './revoke-device.ts';

/** A website session can make new access tokens for so long. */
const sessionLifeMs = 31 * 24 * 60 * 60_000;

export async function logout(call: AccountCall): Promise<OperationResult<'logout'>> {
  const { hub, principal } = call;
  if (principal.kind === 'device') return revokeDevice(call, { id: principal.device });
  await putEndedSession(hub.table, principal.device, sessionLifeMs);
  // After the session, so that no link can be opened behind the ones that are closed.
  await endDeviceLinks(hub, principal.account, principal.device);
  return {};
}
