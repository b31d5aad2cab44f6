// Changes of a room by two sessions of its owner at once.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../testing/test-hub.ts';
import { createTestRoom } from '../testing/test-room.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.close());

describe('a room whose name and description are changed at once', () => {
  it('has both, and a code that was rotated meanwhile', async () => {
    const room = await createTestRoom(hub, 'two_sessions');
    const account = { account: room.owner.account };
    const update = (change: { name?: string; description?: string; rotateCode?: boolean }) =>
      hub.call('update_room', account, { room: room.id, ...change });
    for (let round = 0; round < 10; round += 1) {
      const [name, description] = [`name ${round}`, `description ${round}`];
      const [{ code }] = await Promise.all([
        update({ rotateCode: true }),
        update({ name }),
        update({ description }),
      ]);
      const { rooms } = await hub.call('status', account, {});
      expect(rooms).toMatchObject([{ id: room.id, name, description, code }]);
    }
  });
});
