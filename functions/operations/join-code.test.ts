// A code that is rotated away while a join with it is under way.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../testing/test-hub.ts';
import { createTestRoom, type TestRoom } from '../testing/test-room.ts';

let hub: TestHub;
/** Runs once, when a commit was refused and waits for its next turn. */
let meanwhile = async () => {};

beforeAll(async () => {
  const sleep = async () => {
    const once = meanwhile;
    meanwhile = async () => {};
    await once();
  };
  hub = await startTestHub({ table: { sleep } });
});
afterEach(() => hub.db.faults.clear());
afterAll(() => hub.close());

/** Lets the next commit wait until the room has another code. */
function rotateMeanwhile({ id, owner }: TestRoom): void {
  const commit = { operation: 'TransactWriteItems', sortPrefix: 'CLOCK' };
  hub.db.faults.add({ fault: 'transaction-throttled', ...commit, next: 1 });
  meanwhile = async () => {
    await hub.call('update_room', { account: owner.account }, { room: id, rotateCode: true });
  };
}

describe('a join whose code is rotated away before it is done', () => {
  const join = (room: TestRoom, account: string, as?: string) =>
    hub.call(
      'join',
      { account, host: 'codex', conversation: `late-${room.id}` },
      { code: room.code, intro: 'x', workspace: { repo: '', branch: '' }, as },
    );
  const refused = { code: 'no_such_room' };

  it('gets no new member in', async () => {
    const room = await createTestRoom(hub, 'rotating1');
    rotateMeanwhile(room);
    await expect(join(room, 'rotating1')).rejects.toMatchObject(refused);
    expect((await hub.call('members', room.owner, {})).members).toEqual([]);
  });

  it('continues no member', async () => {
    const room = await createTestRoom(hub, 'rotating2');
    const member = await room.member('rotating3', 'one');
    rotateMeanwhile(room);
    await expect(join(room, 'rotating3', 'one')).rejects.toMatchObject(refused);
    await expect(hub.call('inbox', member, {})).resolves.toMatchObject({ messages: [] });
  });
});
