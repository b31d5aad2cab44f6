// A room in which many come and go: what it costs those who stay.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../testing/test-hub.ts';
import { createTestRoom } from '../testing/test-room.ts';

const workspace = { repo: '', branch: '' };

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.close());

describe('members that came and left', () => {
  it('make no message to one member dearer, and leave no intro in the list', async () => {
    const room = await createTestRoom(hub, 'comings');
    const [ann, ben] = [await room.member('comings_a', 'ann'), await room.member('comings_b', 'b')];
    const costOf = async (work: () => Promise<unknown>) =>
      (await hub.db.ledger.measure(work)).reads;
    const say = () =>
      hub.call('send', ann, { id: hub.newId('m_'), to: [ben.address], body: 'hello' });
    const list = () => hub.call('members', ann, {});
    const [sendBefore, listBefore] = [await costOf(say), await costOf(list)];
    const visits = 20;
    for (let visit = 0; visit < visits; visit += 1) {
      const guest = { ...ben, conversation: `guest-${visit}` };
      await hub.call('join', guest, { code: room.code, intro: 'i'.repeat(1_000), workspace });
      await hub.call('leave', guest, {});
    }
    expect(await costOf(say)).toBe(sendBefore);
    // A kilobyte each would be five units for members alone.
    expect(await costOf(list)).toBeLessThanOrEqual(listBefore + 4);
  });
});
