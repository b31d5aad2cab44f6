// Connector tokens: one read by hash tells for whom a remote MCP client calls.
import { isTokenOf } from '../domain/token-format.ts';
import type { Table } from '../store/table-port.ts';
import { getToken } from '../store/tokens.ts';
import type { Authenticate } from './principal.ts';

/** Accepts tokens that were issued for that resource only: `audience` is the URL of `/mcp`. */
export function connectorTokens(table: Table, audience: string): Authenticate {
  return async (bearer) => {
    if (!isTokenOf('connector', bearer)) return undefined;
    const row = await getToken(table, bearer);
    if (row?.kind !== 'connector' || row.audience !== audience) return undefined;
    const { account, device, host } = row;
    return { account, kind: 'connector', device, host };
  };
}
