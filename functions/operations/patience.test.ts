// A table that is too busy until the deadline: the caller is told so, and nothing else is made of
// it.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { FaultRule } from '../../local/dynamodb/faults.ts';
import { putGrantToken } from '../store/grants.ts';
import { startTestHub, type TestHub } from '../testing/test-hub.ts';
import { createTestRoom } from '../testing/test-room.ts';

const minuteMs = 60_000;

let hub: TestHub;
/** Every wait is longer than anybody's patience. */
const sleep = async () => {
  hub.shiftMs(minuteMs);
  waits += 1;
};
let waits = 0;

beforeAll(async () => {
  hub = await startTestHub({ table: { sleep } });
});
afterAll(() => hub.close());
afterEach(() => {
  hub.db.faults.clear();
  hub.shiftMs(-waits * minuteMs);
  waits = 0;
});

/** Transactions are cancelled without a word about conditions, as long as they touch such an item. */
const busy = (items: Pick<FaultRule, 'partitionPrefix' | 'sortPrefix'>) =>
  hub.db.faults.add({
    fault: 'transaction-throttled',
    operation: 'TransactWriteItems',
    ...items,
  });

const unavailable = expect.objectContaining({ code: 'unavailable' });

describe('where the table is too busy until the deadline', () => {
  it('a new room is neither taken nor one too many', async () => {
    const room = await createTestRoom(hub, 'busy_owner');
    const owner = { account: room.owner.account };
    const make = (id: string) => hub.call('new_room', owner, { id, name: 'x', description: '' });
    for (const sortPrefix of ['META', 'PROFILE', 'CODE']) {
      const stop = busy({ sortPrefix });
      await expect(make(hub.newId('r_')), sortPrefix).rejects.toEqual(unavailable);
      stop();
    }
  });

  it('a handle is not another account’s', async () => {
    const claim = () => hub.call('claim_handle', { account: 'busy' }, { handle: 'busy' });
    const stop = busy({ partitionPrefix: 'HANDLE#' });
    await expect(claim()).rejects.toEqual(unavailable);
    stop();
    await expect(claim()).resolves.toMatchObject({ account: { handle: 'busy' } });
  });

  it('a token that was not written does not count as added', async () => {
    const { table } = hub.hub;
    busy({ partitionPrefix: 'TOKEN#' });
    const added = putGrantToken(
      table,
      { atMs: table.nowMs() },
      { grant: 'grant', token: 'token' },
      { audience: 'a', account: 'b', host: 'web', expiresAt: 1, sealed: new Uint8Array(1) },
    );
    await expect(added).rejects.toEqual(unavailable);
  });
});
