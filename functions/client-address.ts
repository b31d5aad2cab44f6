// Whom a request came from, for limits per address.
import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import ipaddr from 'ipaddr.js';

const { IPv6, isValid, parse } = ipaddr;

/** Set by the distribution: the address of whoever asked it. */
const viewerHeader = 'x-tandry-viewer';
/** What one subscriber is given of IPv6; a limit per single address would be none. */
const networkBytes = 8;

/**
 * The caller's address, of IPv6 the network. Only for events that came through the front door:
 * anywhere else the header could say anything.
 */
export function clientAddress({ headers, requestContext }: APIGatewayProxyEventV2): string {
  const viewer = headers[viewerHeader];
  const address = viewer !== undefined && isValid(viewer) ? viewer : requestContext.http.sourceIp;
  if (!isValid(address)) return address;
  const parsed = parse(address);
  if (!(parsed instanceof IPv6) || parsed.range() === 'loopback') return parsed.toString();
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const bytes = parsed.toByteArray();
  return new IPv6([
    ...bytes.slice(0, networkBytes),
    ...bytes.slice(networkBytes).fill(0),
  ]).toString();
}
