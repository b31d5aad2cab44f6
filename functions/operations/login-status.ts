// login_status: how a login stands; once it is approved, the device's token.
import { createHmac } from 'node:crypto';
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import { formatToken } from '../domain/token-format.ts';
import { getProfile } from '../store/accounts.ts';
import { deviceLifeMs } from '../store/devices.ts';
import type { Login } from '../store/items.ts';
import { getLogin, issueDevice } from '../store/logins.ts';
import { getToken } from '../store/tokens.ts';
import type { OpenCall } from './hub.ts';

type Result = OperationResult<'login_status'>;

export async function loginStatus(
  call: OpenCall,
  { deviceCode, label }: OperationInput<'login_status'>,
): Promise<Result> {
  const login = await getLogin(call.hub.table, deviceCode);
  if (login === undefined) return { state: 'expired' };
  if (login.state === 'denied') return { state: 'denied' };
  const { account, device } = login;
  if (login.state === 'pending' || account === undefined || device === undefined) {
    return { state: 'pending' };
  }
  const token = tokenOf(deviceCode, login);
  const isGiven = await giveToken(call, { deviceCode, token, account, device }, label, login);
  // Given before and not there any more: the device was revoked while its login still stands.
  if (!isGiven) return { state: 'expired' };
  const handle = (await getProfile(call.hub.table, account))?.handle ?? null;
  return { state: 'approved', token, account: { id: account, handle } };
}

/**
 * The same token at every call, so that an answer may get lost. It needs the device code, which
 * only the machine has, and the salt, which goes with the login: afterwards nobody can make it
 * again.
 */
function tokenOf(deviceCode: string, { salt }: Login): string {
  return formatToken('device', createHmac('sha256', deviceCode).update(salt).digest());
}

async function giveToken(
  { hub, deadline }: OpenCall,
  made: { deviceCode: string; token: string; account: string; device: string },
  label: string | undefined,
  login: Login,
): Promise<boolean> {
  const createdAt = hub.table.nowMs();
  const device = {
    id: made.device,
    // What the person saw when approving counts.
    label: login.label || label || 'Unnamed device',
    createdAt,
    expiresAt: Math.ceil((createdAt + deviceLifeMs) / 1000),
  };
  if (await issueDevice(hub.table, deadline, made, device)) return true;
  return (await getToken(hub.table, made.token)) !== undefined;
}
