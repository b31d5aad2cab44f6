// The credentials that operations and links accept. The JWT library is loaded when the first JWT
// comes.
import type { Table } from '../store/table-port.ts';
import { deviceTokens } from './device-token.ts';
import type { Authenticate } from './principal.ts';

/** Device tokens, and website tokens by `load`; a connector's is none of either, and refused. */
export function authenticator(table: Table, load: () => Promise<Authenticate>): Authenticate {
  const devices = deviceTokens(table);
  let website: Promise<Authenticate> | undefined;
  return async (bearer) => {
    if (bearer.split('.').length !== 3) return devices(bearer);
    website ??= load();
    return (await website)(bearer);
  };
}
