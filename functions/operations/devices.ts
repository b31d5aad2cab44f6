// devices: the machines an account is signed in on, newest first.
import type { OperationResult } from '../../protocol/operations/index.ts';
import { listDevices } from '../store/devices.ts';
import type { AccountCall } from './hub.ts';

export async function devices({
  hub,
  principal,
}: AccountCall): Promise<OperationResult<'devices'>> {
  const rows = await listDevices(hub.table, principal.account);
  const views = rows.map(({ id, label, createdAt, expiresAt }) => ({
    id,
    label,
    createdAt,
    expiresAt: expiresAt * 1000,
    current: principal.kind === 'device' && principal.device === id,
  }));
  return { devices: views.sort((a, b) => b.createdAt - a.createdAt) };
}
