// Refresh tokens: each is used once, a repeat within moments gets the same pair, a later one ends
// it all.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type Client,
  claudeRedirect,
  connect,
  post,
  refresh,
  register,
  TokenAnswer,
} from '../../testing/oauth-client.ts';
import { startTestAuth, type TestAuth } from '../../testing/test-auth.ts';

let auth: TestAuth;
let client: Client;
beforeAll(async () => {
  auth = await startTestAuth();
  client = await register(auth, claudeRedirect);
});
afterAll(async () => {
  expect(auth.faults).toEqual([]);
  await auth.close();
});

const isGood = async (token: string) => (await auth.connector(token)) !== undefined;

async function next(refreshToken: string): Promise<TokenAnswer> {
  return TokenAnswer.parse((await refresh(auth, client, refreshToken)).body);
}

const pairOf = ({ access_token, refresh_token }: TokenAnswer) => ({ access_token, refresh_token });

/** Runs something that much later, and comes back. */
async function later<Result>(ms: number, work: () => Promise<Result>): Promise<Result> {
  auth.test.shiftMs(ms);
  try {
    return await work();
  } finally {
    auth.test.shiftMs(-ms);
  }
}

describe('a refresh', () => {
  it('gives a new pair and leaves the access token before it as it was', async () => {
    const first = await connect(auth, client, 'ana@example.com');
    const second = await next(first.refresh_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.access_token).not.toBe(first.access_token);
    expect(await isGood(first.access_token)).toBe(true);
    expect(await isGood(second.access_token)).toBe(true);
  });

  it('repeated within half a minute gives the same pair, however many come at once', async () => {
    const first = await connect(auth, client, 'ben@example.com');
    const parallel = await Promise.all([1, 2, 3, 4].map(() => next(first.refresh_token)));
    const repeated = await later(29_000, () => next(first.refresh_token));
    const pairs = [...parallel, repeated].map((answer) => JSON.stringify(pairOf(answer)));
    expect(new Set(pairs).size).toBe(1);
    expect(await isGood(repeated.access_token)).toBe(true);
    // And after a restart, which keeps nothing.
    auth.restart();
    expect(pairOf(await next(first.refresh_token))).toEqual(pairOf(repeated));
  });

  it('repeated does not undo that its successor was used', async () => {
    const first = await connect(auth, client, 'cleo@example.com');
    const second = await next(first.refresh_token);
    const third = await next(second.refresh_token);
    expect(pairOf(await next(first.refresh_token))).toEqual(pairOf(second));
    // The successor is still one that was used: after its own grace it ends the family.
    const { body } = await later(31_000, () => refresh(auth, client, second.refresh_token));
    expect(body).toMatchObject({ error: 'invalid_grant' });
    expect(await isGood(third.access_token)).toBe(false);
  });

  it('with one that was used before ends the grant and every token of it', async () => {
    const first = await connect(auth, client, 'dora@example.com');
    const second = await next(first.refresh_token);
    const other = await connect(auth, client, 'dora@example.com');
    const { status, body } = await later(31_000, () => refresh(auth, client, first.refresh_token));
    expect({ status, body }).toMatchObject({ status: 400, body: { error: 'invalid_grant' } });
    for (const token of [first.access_token, second.access_token]) {
      expect(await isGood(token)).toBe(false);
    }
    expect((await refresh(auth, client, second.refresh_token)).body).toMatchObject({
      error: 'invalid_grant',
    });
    // A grant of its own is untouched.
    expect(await isGood(other.access_token)).toBe(true);
  });

  it('is not given to another client, nor for another resource', async () => {
    const first = await connect(auth, client, 'elle@example.com');
    const stranger = await register(auth, claudeRedirect);
    expect((await refresh(auth, stranger, first.refresh_token)).body).toMatchObject({
      error: 'invalid_grant',
    });
    const elsewhere = await post(auth, '/oauth/token', {
      grant_type: 'refresh_token',
      client_id: client.clientId,
      refresh_token: first.refresh_token,
      resource: 'https://other.example.com/mcp',
    });
    expect(elsewhere.body).toMatchObject({ error: 'invalid_target' });
  });

  it('ends 90 days after the last one, and access after an hour', async () => {
    const first = await connect(auth, client, 'fay@example.com');
    expect(await later(59 * 60_000, () => isGood(first.access_token))).toBe(true);
    expect(await later(61 * 60_000, () => isGood(first.access_token))).toBe(false);
    const { body } = await later(91 * 24 * 60 * 60_000, () =>
      refresh(auth, client, first.refresh_token),
    );
    expect(body).toMatchObject({ error: 'invalid_grant' });
  });
});
