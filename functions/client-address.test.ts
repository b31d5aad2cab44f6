import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import { describe, expect, it } from 'vitest';
import { clientAddress } from './client-address.ts';
import { httpEvent } from './testing/http-event.ts';

function addressOf(sourceIp: string, viewer?: string): string {
  const event: APIGatewayProxyEventV2 = httpEvent({
    sourceIp,
    headers: viewer === undefined ? {} : { 'x-tandry-viewer': viewer },
  });
  return clientAddress(event);
}

describe('the address of a caller', () => {
  it.each([
    ['198.51.100.10', '198.51.100.10'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::'],
    ['2001:db8:1:2::9', '2001:db8:1:2::'],
    ['::ffff:198.51.100.10', '198.51.100.10'],
  ])('is what the distribution says of it: %s', (viewer, expected) => {
    expect(addressOf('192.0.2.1', viewer)).toBe(expected);
  });

  it.each([
    ['127.0.0.1', undefined, '127.0.0.1'],
    ['::1', undefined, '::1'],
    ['192.0.2.1', 'nonsense', '192.0.2.1'],
  ])('is the source of the request else', (source, viewer, expected) => {
    expect(addressOf(source, viewer)).toBe(expected);
  });
});
