// Deleting a room: shut at once, erased in the background, resumable at any point.
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { purgeBatch } from '../bindings/purge.ts';
import { startTestHub, type TestHub } from '../testing/test-hub.ts';
import { createTestRoom } from '../testing/test-room.ts';
import type { Purging } from './purge.ts';

let hub: TestHub;
beforeAll(async () => {
  hub = await startTestHub();
});
afterAll(() => hub.close());

/** Every item of the table: only a test may look at it whole. */
async function everything(): Promise<string[]> {
  const { Items = [] } = await hub.hub.table.client.send(new ScanCommand({ TableName: 'hub' }));
  return Items.map(({ pk, sk }) => `${pk?.S} ${sk?.S}`).sort();
}

function purging(): Purging & { readonly queued: { room: string; delayS: number }[] } {
  const queued: { room: string; delayS: number }[] = [];
  return {
    table: hub.hub.table,
    connections: { post: async () => 'sent', close: async () => {} },
    enqueue: async (room, delayS) => void queued.push({ room, delayS }),
    queued,
  };
}

const record = (room: string) =>
  JSON.parse(
    JSON.stringify({ dynamodb: { SequenceNumber: '1', Keys: { pk: { S: `ROOM#${room}` } } } }),
  );
const message = (room: string) =>
  JSON.parse(JSON.stringify({ messageId: 'q1', body: JSON.stringify({ room }) }));
const noFault = (name: string) => {
  throw new Error(name);
};

async function busyRoom(owner: string) {
  const room = await createTestRoom(hub, owner);
  const anna = await room.member(`${owner}_a`, 'anna');
  const bert = await room.member(`${owner}_b`, 'bert');
  const said: string[] = [];
  for (let i = 0; i < 30; i += 1) {
    const id = hub.newId('m_');
    const replyTo = said.at(-1);
    await hub.call('send', i % 2 ? anna : bert, {
      id,
      to: '@room',
      body: 'x'.repeat(i + 1),
      ...(replyTo !== undefined && { replyTo }),
    });
    said.push(id);
  }
  await hub.call('rename', bert, { name: 'renamed' });
  await hub.call('leave', anna, {});
  return { room, anna, bert };
}

describe('a deleted room', () => {
  it('is queued by its stream record, and only if it was deleted', async () => {
    const { room } = await busyRoom('queued');
    const ports = purging();
    await purgeBatch(ports, [record(room.id)], () => true, noFault);
    expect(ports.queued).toEqual([]);
    await hub.call('delete_room', { account: 'queued' }, { room: room.id });
    await purgeBatch(ports, [record(room.id)], () => true, noFault);
    expect(ports.queued).toEqual([{ room: room.id, delayS: 5 }]);
  });

  it('is shut before anything is erased', async () => {
    const { room, bert } = await busyRoom('shutnow');
    const owner = { account: 'shutnow' };
    await hub.call('delete_room', owner, { room: room.id });
    await expect(hub.call('inbox', bert, {})).rejects.toMatchObject({ code: 'not_in_room' });
    await expect(hub.call('history', room.owner, {})).rejects.toMatchObject({
      code: 'not_in_room',
    });
    await expect(
      hub.call('join', bert, { code: room.code, intro: 'x', workspace: { repo: '', branch: '' } }),
    ).rejects.toMatchObject({ code: 'no_such_room' });
    await expect(
      hub.call('new_room', owner, { id: room.id, name: 'x', description: '' }),
    ).rejects.toMatchObject({ code: 'invalid_input' });
    expect(await hub.call('delete_room', owner, { room: room.id })).toEqual({});
    expect((await hub.call('status', owner, {})).rooms).toEqual([]);
  });

  it('leaves its two tombstones and nothing else, however often the purge is cut off', async () => {
    const before = await everything();
    const { room } = await busyRoom('erased');
    await hub.call('delete_room', { account: 'erased' }, { room: room.id });
    const ports = purging();
    let steps = 0;
    ports.queued.push({ room: room.id, delayS: 0 });
    while (ports.queued.length > 0) {
      ports.queued.length = 0;
      let looks = 0;
      const stepHasTime = () => {
        looks += 1;
        return looks === 1;
      };
      await purgeBatch(ports, [message(room.id)], stepHasTime, noFault);
      steps += 1;
    }
    expect(steps).toBeGreaterThan(2);
    const left = (await everything()).filter((item) => !before.includes(item));
    const accounts = ['erased', 'erased_a', 'erased_b'].flatMap((account) => [
      `ACCOUNT#${account} PROFILE`,
      `HANDLE#${account} HANDLE`,
    ]);
    const tombstones = [`ROOM#${room.id} CLOCK`, `ROOM#${room.id} META`];
    const untilTheyExpire = left.filter((item) => item.includes('CONVERSATION#'));
    expect(left).toEqual([...accounts, ...tombstones, ...untilTheyExpire].sort());
    // Anna had left: her row only remembers her bucket, for five minutes.
    expect(untilTheyExpire).toHaveLength(1);
  });

  it('frees the conversations that were in it, and spares one that joined another room since', async () => {
    const { room, bert } = await busyRoom('freed');
    await hub.call('delete_room', { account: 'freed' }, { room: room.id });
    const other = await createTestRoom(hub, 'freed2');
    const moved = { ...bert, room: other.id };
    const workspace = { repo: '', branch: '' };
    await hub.call('join', moved, { code: other.code, intro: 'x', workspace });
    await purgeBatch(purging(), [message(room.id)], () => true, noFault);
    await expect(hub.call('inbox', moved, {})).resolves.toMatchObject({ messages: [] });
    await expect(hub.call('inbox', bert, {})).rejects.toMatchObject({ code: 'not_in_room' });
  });

  it('that is not deleted is never purged', async () => {
    const { room, bert } = await busyRoom('spared');
    await purgeBatch(purging(), [message(room.id)], () => true, noFault);
    await expect(hub.call('inbox', bert, {})).resolves.toHaveProperty('messages.length', 15);
  });
});
