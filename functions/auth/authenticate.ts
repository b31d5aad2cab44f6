// The credentials that operations and links accept.
import type { Table } from '../store/table-port.ts';
import { deviceTokens } from './device-token.ts';
import type { Authenticate } from './principal.ts';

/**
 * Device tokens, and the website's, which are JWTs; a connector's is none of either, and refused.
 */
export function authenticator(table: Table, website: Authenticate): Authenticate {
  const devices = deviceTokens(table);
  return (bearer) => (bearer.split('.').length === 3 ? website(bearer) : devices(bearer));
}
