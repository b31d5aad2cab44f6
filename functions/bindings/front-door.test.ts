// The origin secret: what came around the distribution is refused, whatever it looks like.
import middy from '@middy/core';
import { describe, expect, it } from 'vitest';
import { originHeader, throughFrontDoor } from './front-door.ts';

const secret = 'a-secret-of-at-least-thirty-two-characters';

interface Event {
  readonly headers?: Record<string, string>;
  readonly requestContext: { readonly eventType?: string };
}

const handler = middy<Event, { statusCode?: number }>()
  .use(throughFrontDoor(secret))
  .handler(async () => ({ statusCode: 200 }));

async function statusOf(event: Event): Promise<number | undefined> {
  const context = JSON.parse('{}');
  return (await handler(event, context)).statusCode;
}

describe.each([undefined, 'CONNECT'])('an event of type %s', (eventType) => {
  const requestContext = eventType === undefined ? {} : { eventType };

  it.each([
    ['the secret', { [originHeader]: secret }, 200],
    ['the secret under any spelling', { [originHeader.toUpperCase()]: secret }, 200],
    ['another secret', { [originHeader]: `${secret}x` }, 403],
    ['an empty one', { [originHeader]: '' }, 403],
    ['other headers alone', { host: 'example.test' }, 403],
  ])('with %s', async (_, headers, status) => {
    expect(await statusOf({ headers, requestContext })).toBe(status);
  });

  it('without headers is refused', async () => {
    expect(await statusOf({ requestContext })).toBe(403);
  });
});

describe.each(['MESSAGE', 'DISCONNECT'])('an event of type %s', (eventType) => {
  it('comes from a connection that was let in, and may carry any headers', async () => {
    const requestContext = { eventType };
    expect(await statusOf({ requestContext })).toBe(200);
    expect(await statusOf({ headers: { Host: 'example.test' }, requestContext })).toBe(200);
  });
});
