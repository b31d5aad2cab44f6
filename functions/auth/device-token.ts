// Device tokens: one read by hash tells whose machine calls.
import { isTokenOf } from '../domain/token-format.ts';
import { deviceAudience, deviceLifeMs, extendDevice } from '../store/devices.ts';
import type { OwnToken } from '../store/items.ts';
import type { Table } from '../store/table-port.ts';
import { getToken } from '../store/tokens.ts';
import type { Authenticate } from './principal.ts';

const dayMs = 24 * 60 * 60_000;
const patienceMs = 3_000;

/** Accepts device tokens only, whatever else stands in the table. */
export function deviceTokens(table: Table): Authenticate {
  return async (bearer) => {
    if (!isTokenOf('device', bearer)) return undefined;
    const row = await getToken(table, bearer);
    if (row?.kind !== 'device' || row.audience !== deviceAudience) return undefined;
    await slide(table, bearer, row);
    return { account: row.account, kind: 'device', device: row.device };
  };
}

/**
 * Moves the end of its life, at most once a day: a write for every call would cost more than it.
 */
async function slide(table: Table, token: string, row: OwnToken): Promise<void> {
  const nowMs = table.nowMs();
  if (row.expiresAt * 1000 - nowMs > deviceLifeMs - dayMs) return;
  const deadline = { atMs: nowMs + patienceMs };
  const device = { account: row.account, id: row.device, token };
  await extendDevice(table, deadline, device, Math.ceil((nowMs + deviceLifeMs) / 1000));
}
