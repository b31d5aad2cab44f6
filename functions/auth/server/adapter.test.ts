// oidc-provider's memory on the real local table: used once, found by one secret, forgotten in
// time.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../testing/test-hub.ts';
import { createAdapter } from './adapter.ts';
import { createSecrets } from './secrets.ts';

const dayMs = 24 * 60 * 60_000;

let test: TestHub;
let adapterOf: ReturnType<typeof createAdapter>;
beforeAll(async () => {
  test = await startTestHub();
  const secrets = createSecrets('the secret of a deployment, long enough');
  adapterOf = createAdapter({ table: test.hub.table, secrets });
});
afterAll(() => test.close());

describe('a record', () => {
  it.each(['AuthorizationCode', 'DeviceCode'])(
    'is used once, of any number at once: %s',
    async (model) => {
      const adapter = adapterOf(model);
      await adapter.upsert('id', { accountId: 'a' }, 60);
      const uses = await Promise.allSettled([1, 2, 3, 4, 5, 6].map(() => adapter.consume('id')));
      expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
      expect(await adapter.find('id')).toMatchObject({
        accountId: 'a',
        consumed: expect.any(Number),
      });
    },
  );

  it('is gone when its time is over, whatever storage does', async () => {
    const adapter = adapterOf('Interaction');
    await adapter.upsert('short', { accountId: 'a' }, 60);
    expect(await adapter.find('short')).toBeDefined();
    test.shiftMs(61_000);
    expect(await adapter.find('short')).toBeUndefined();
    test.shiftMs(-61_000);
    await adapter.destroy('short');
    expect(await adapter.find('short')).toBeUndefined();
  });

  it('of one model is none of another', async () => {
    await adapterOf('Interaction').upsert('same', { accountId: 'a' }, 60);
    expect(await adapterOf('AuthorizationCode').find('same')).toBeUndefined();
  });
});

describe('a session', () => {
  it('is never kept: who is signed in, only Cognito knows', async () => {
    const adapter = adapterOf('Session');
    await adapter.upsert('id', { accountId: 'a', uid: 'uid' }, 60);
    expect(await adapter.find('id')).toBeUndefined();
    expect(await adapter.findByUid('uid')).toBeUndefined();
  });
});

describe('a registered client', () => {
  it('is known for 120 days after its last use', async () => {
    const adapter = adapterOf('Client');
    await adapter.upsert('client', { client_id: 'client' });
    test.shiftMs(119 * dayMs);
    expect(await adapter.find('client')).toBeDefined();
    test.shiftMs(119 * dayMs);
    expect(await adapter.find('client')).toBeDefined();
    test.shiftMs(121 * dayMs);
    expect(await adapter.find('client')).toBeUndefined();
    test.shiftMs(-(119 + 119 + 121) * dayMs);
  });
});

describe('a user code', () => {
  it('belongs to one device, even when chance would give it to two', async () => {
    const adapter = adapterOf('DeviceCode');
    await adapter.upsert('first', { userCode: 'BBBBBBBB' }, 60);
    await expect(adapter.upsert('second', { userCode: 'BBBBBBBB' }, 60)).rejects.toMatchObject({
      error: 'temporarily_unavailable',
    });
    expect(await adapter.findByUserCode('BBBBBBBB')).toMatchObject({ userCode: 'BBBBBBBB' });
    // Deciding it writes it again, with its code.
    await adapter.upsert('first', { userCode: 'BBBBBBBB', accountId: 'a' }, 60);
    expect(await adapter.findByUserCode('BBBBBBBB')).toMatchObject({ accountId: 'a' });
    expect(await adapter.findByUserCode('CCCCCCCC')).toBeUndefined();
  });
});
