// Retention: from the second a message expires it is invisible to every read, whatever storage
// does.
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type Caller, startTestHub, type TestHub } from '../testing/test-hub.ts';
import { createTestRoom, type TestRoom } from '../testing/test-room.ts';

const dayMs = 86_400_000;
const retentionDays = 2;

let hub: TestHub;
let room: TestRoom;
let anna: Caller & { address: string };
let bert: Caller & { address: string };
let shiftedMs = 0;
beforeAll(async () => {
  hub = await startTestHub({ policy: { retentionDays } });
});
afterAll(() => hub.close());
afterEach(() => {
  hub.shiftMs(-shiftedMs);
  shiftedMs = 0;
});

function pass(ms: number): void {
  hub.shiftMs(ms);
  shiftedMs += ms;
}

const say = (to: string[] | '@room', options = {}) =>
  hub.call('send', anna, { id: hub.newId('m_'), to, body: 'hello', ...options });

async function newRoom(owner: string): Promise<void> {
  room = await createTestRoom(hub, owner);
  anna = await room.member(`${owner}_a`, 'anna');
  bert = await room.member(`${owner}_b`, 'bert');
}

describe('a message past its retention', () => {
  it('is gone from inbox, counts and history, though storage has swept nothing', async () => {
    await newRoom('expiry');
    const { id } = await say([bert.address]);
    pass(retentionDays * dayMs - 5_000);
    expect((await hub.call('inbox', bert, {})).messages).toHaveLength(1);
    pass(10_000);
    expect(await hub.call('inbox', bert, {})).toEqual({ messages: [], upTo: 0, remaining: null });
    expect((await hub.call('history', room.owner, {})).messages).toEqual([]);
    const { members } = await hub.call('members', anna, {});
    expect(members.map(({ unreadFromMe }) => unreadFromMe)).toEqual([0, 0]);
    await expect(hub.call('delete_message', anna, { id })).rejects.toMatchObject({
      code: 'no_such_message',
    });
    await expect(say([], { replyTo: id })).rejects.toMatchObject({ code: 'no_such_message' });
  });

  it('keeps its ID taken for a day, so that a late repeat does not say it again', async () => {
    await newRoom('latecomer');
    const message = { id: hub.newId('m_'), to: [bert.address], body: 'once' };
    const first = await hub.call('send', anna, message);
    pass(retentionDays * dayMs + 10_000);
    expect((await hub.call('send', anna, message)).seq).toBe(first.seq);
    pass(dayMs + 10_000);
    expect((await hub.call('send', anna, message)).seq).toBeGreaterThan(first.seq);
  });
});

describe('a room that was quiet for longer than its retention', () => {
  it('goes on where it was: what is said next arrives, swept or not', async () => {
    await newRoom('quiet');
    await say([bert.address]);
    pass(retentionDays * dayMs + 10_000);
    const next = await say([bert.address]);
    const { messages, upTo } = await hub.call('inbox', bert, {});
    expect(messages.map(({ id }) => id)).toEqual([next.id]);
    expect(await hub.call('read', bert, { upTo })).toEqual({ readSeq: next.seq });
  });
});

describe('a room made under another retention', () => {
  it('keeps its own: policy is copied when the room is made', async () => {
    await newRoom('kept');
    const longer = await startTestHub({ policy: { retentionDays: 30 } });
    try {
      const other = await createTestRoom(longer, 'longer');
      const member = await other.member('longer_a', 'one');
      const reader = await other.member('longer_b', 'two');
      const id = longer.newId('m_');
      await longer.call('send', member, { id, to: [reader.address], body: 'hello' });
      longer.shiftMs(29 * dayMs);
      expect((await longer.call('inbox', reader, {})).messages).toHaveLength(1);
    } finally {
      await longer.close();
    }
  });
});
