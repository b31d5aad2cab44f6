// Notices (protocol, section 3): what links are told, through the table's real stream.
import { UpdateCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { HubFrame } from '../../protocol/frames.ts';
import { keys } from '../store/keys.ts';
import { type Caller, startTestHub, type TestHub } from '../testing/test-hub.ts';
import { createTestLinks, type TestLinks } from '../testing/test-links.ts';
import { createTestRoom, type TestRoom } from '../testing/test-room.ts';

let hub: TestHub;
let links: TestLinks;
let room: TestRoom;
let sender: Caller & { address: string };
beforeAll(async () => {
  hub = await startTestHub();
  links = createTestLinks(hub);
  room = await createTestRoom(hub);
  sender = await room.member('anna', 'sender');
});
afterEach(() => {
  hub.db.faults.clear();
  links.failing.clear();
  links.gone.clear();
});
afterAll(() => hub.close());

async function linked(name: string, ageMs = 60_000) {
  const member = await room.member('bert', name);
  const connectedAt = Date.now() - ageMs;
  const { connection } = await links.open(member, { connectedAt });
  await links.pump();
  links.take(connection);
  return { ...member, connection };
}

const say = (to: string[] | '@room', body = 'hello', options = {}) =>
  hub.call('send', sender, { id: hub.newId('m_'), to, body, ...options });

const notice = (unread: number, upTo: number, from = [sender.address]): HubFrame => ({
  t: 'notify',
  unread,
  upTo,
  from,
});

describe('a message', () => {
  it('is told to its recipient alone: a count, a position and names, never a body', async () => {
    const recipient = await linked('named');
    const bystander = await linked('bystander');
    const { seq } = await say([recipient.address], 'a secret body');
    await links.pump();
    expect(links.posted).toEqual([{ connection: recipient.connection, frame: notice(1, seq) }]);
    expect(JSON.stringify(links.posted)).not.toContain('secret');
    links.take(recipient.connection);
    expect(links.take(bystander.connection)).toEqual([]);
  });

  it('to the room is told to every linked member but the sender', async () => {
    const { connection } = await links.open(sender, { connectedAt: Date.now() - 60_000 });
    const [one, two] = [await linked('one'), await linked('two')];
    await links.pump();
    links.posted.length = 0;
    const { seq } = await say('@room');
    await links.pump();
    expect(links.take(one.connection)).toEqual([notice(1, seq)]);
    expect(links.take(two.connection)).toEqual([notice(1, seq)]);
    expect(links.take(connection)).toEqual([]);
    links.posted.length = 0;
  });

  it('in a burst is one frame with the newest state', async () => {
    const recipient = await linked('burst');
    let last = 0;
    for (let i = 0; i < 10; i += 1) last = (await say([recipient.address], `${i}`)).seq;
    await links.pump();
    expect(links.take(recipient.connection)).toEqual([notice(10, last)]);
  });

  it('that was read before it was told is not told', async () => {
    const recipient = await linked('quick');
    const { seq } = await say([recipient.address]);
    await hub.call('read', recipient, { upTo: seq });
    await links.pump();
    expect(links.take(recipient.connection)).toEqual([]);
  });

  it('counts from the position: what was read is not told again', async () => {
    const recipient = await linked('half');
    const first = await say([recipient.address]);
    await hub.call('read', recipient, { upTo: first.seq });
    const second = await say([recipient.address]);
    await links.pump();
    expect(links.take(recipient.connection)).toEqual([notice(1, second.seq)]);
  });

  it('that is deleted refreshes the notice, to nothing if nothing is left', async () => {
    const recipient = await linked('deleted');
    const kept = await say([recipient.address]);
    const dropped = await say([recipient.address]);
    await links.pump();
    expect(links.take(recipient.connection)).toEqual([notice(2, dropped.seq)]);
    await hub.call('delete_message', sender, { id: dropped.id });
    await links.pump();
    expect(links.take(recipient.connection)).toEqual([notice(1, kept.seq)]);
    await hub.call('delete_message', sender, { id: kept.id });
    await links.pump();
    expect(links.take(recipient.connection)).toEqual([notice(0, 0, [])]);
  });
});

describe('opening a link', () => {
  it('replays the notice if anything is unread, and says nothing otherwise', async () => {
    const member = await room.member('bert', 'late');
    const quiet = await links.open(member, { connectedAt: Date.now() - 60_000 });
    await links.pump();
    expect(links.take(quiet.connection)).toEqual([]);
    const { seq } = await say([member.address]);
    await links.pump();
    links.take(quiet.connection);
    const again = await links.open(member, { connectedAt: Date.now() - 30_000 });
    links.take(quiet.connection);
    await links.pump();
    expect(links.take(again.connection)).toEqual([notice(1, seq)]);
  });

  it('is repaired by the periodic state frame when a notice was lost', async () => {
    const recipient = await linked('repair');
    links.failing.add(recipient.connection);
    const { seq } = await say([recipient.address]);
    await links.pump();
    links.failing.clear();
    await links.state(recipient.connection, { t: 'state', wakeable: true });
    await links.pump();
    expect(links.take(recipient.connection)).toEqual([notice(1, seq)]);
  });
});

describe('a post that fails', () => {
  it('brings its records back, and keeps no other link from being told', async () => {
    const [bad, good] = [await linked('bad'), await linked('good')];
    links.failing.add(bad.connection);
    const { seq } = await say([bad.address, good.address]);
    const failed = await links.pump();
    expect(failed).toHaveLength(1);
    expect(links.take(good.connection)).toEqual([notice(1, seq)]);
  });

  it('with "gone" forgets the link', async () => {
    const recipient = await linked('gone');
    links.gone.add(recipient.connection);
    await say([recipient.address]);
    expect(await links.pump()).toEqual([]);
    links.gone.clear();
    await say([recipient.address]);
    await links.pump();
    expect(links.take(recipient.connection)).toEqual([]);
  });

  it('with "gone" keeps a link that is still connecting: it is told of what follows', async () => {
    const recipient = await linked('connecting', 0);
    links.gone.add(recipient.connection);
    await say([recipient.address]);
    await links.pump();
    links.gone.clear();
    const { seq } = await say([recipient.address]);
    await links.pump();
    expect(links.take(recipient.connection)).toEqual([notice(2, seq)]);
  });

  it('with "gone" that was not true is mended by the client’s next frame', async () => {
    const recipient = await linked('alive');
    links.gone.add(recipient.connection);
    const { seq } = await say([recipient.address]);
    await links.pump();
    links.gone.clear();
    await links.state(recipient.connection, { t: 'state', wakeable: true });
    await links.pump();
    expect(links.take(recipient.connection)).toEqual([notice(1, seq)]);
  });
});

describe('leaving and continuing', () => {
  it('end the link with the reason, and tell nothing any more', async () => {
    const recipient = await linked('leaving');
    await say([recipient.address]);
    await hub.call('leave', recipient, {});
    await links.pump();
    expect(links.take(recipient.connection)).toEqual([{ t: 'state', link: 'not_in_room' }]);
    expect(links.closed).toContain(recipient.connection);
  });

  it('of one conversation by another end the former one’s link', async () => {
    const recipient = await linked('rebinding');
    await hub.call(
      'join',
      { ...recipient, conversation: `${recipient.conversation}-next` },
      {
        code: room.code,
        intro: 'Going on.',
        as: 'rebinding',
        workspace: { repo: '', branch: '' },
      },
    );
    await links.pump();
    expect(links.take(recipient.connection)).toEqual([{ t: 'state', link: 'rebound' }]);
    expect(links.closed).toContain(recipient.connection);
  });
});

describe('a batch', () => {
  it('repeated tells the same again and nothing else', async () => {
    const recipient = await linked('repeated');
    const { seq } = await say([recipient.address]);
    await links.pump();
    links.rewind();
    links.posted.length = 0;
    await links.pump();
    const frames = links.take(recipient.connection);
    expect(frames.at(-1)).toEqual(notice(1, seq));
    expect(new Set(frames.map((frame) => JSON.stringify(frame))).size).toBe(1);
    links.posted.length = 0;
  });

  it('waits for a commit that is half visible', async () => {
    const recipient = await linked('torn');
    hub.db.faults.add({ fault: 'torn-transaction', maxPauseMs: 120 });
    const sending = Promise.all([1, 2, 3].map(() => say([recipient.address])));
    let isSent = false;
    const settled = () => {
      isSent = true;
    };
    sending.then(settled, settled);
    while (!isSent) await links.pump();
    const seqs = (await sending).map((sent) => sent.seq);
    await links.pump();
    expect(links.delayed).toEqual([]);
    expect(links.take(recipient.connection).at(-1)).toEqual(notice(3, Math.max(...seqs)));
  });

  it('of a room that stays half visible is put aside once, then counted by the queue', async () => {
    const other = await createTestRoom(hub);
    const recipient = await other.member('bert', 'waiting');
    const from = await other.member('anna', 'waited-for');
    const { connection } = await links.open(recipient, { connectedAt: Date.now() - 60_000 });
    await links.pump();
    links.take(connection);
    await hub.call('send', from, { id: hub.newId('m_'), to: [recipient.address], body: 'early' });
    await moveClock(other.id, 1);
    await links.pump();
    expect(links.delayed.splice(0)).toEqual([other.id]);
    await expect(links.pumpDelayed(other.id)).resolves.toBe(true);
    expect(links.delayed).toEqual([]);
    await moveClock(other.id, -1);
    await expect(links.pumpDelayed(other.id)).resolves.toBe(false);
    expect(links.take(connection)).toHaveLength(1);
  });
});

/** As if a commit's clock were visible and its log entry not. */
async function moveClock(room: string, ticks: number): Promise<void> {
  await hub.hub.table.client.send(
    new UpdateCommand({
      TableName: hub.hub.table.name,
      Key: keys.clock(room),
      UpdateExpression: 'ADD #tick :ticks',
      ExpressionAttributeNames: { '#tick': 'tick' },
      ExpressionAttributeValues: { ':ticks': ticks },
    }),
  );
}
