// A seeded room is like one that its members made themselves: same items, same answers, same costs.
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { keys } from '../functions/store/keys.ts';
import { type Caller, startTestHub, type TestHub } from '../functions/testing/test-hub.ts';
import { wholeRoom } from '../protocol/operations/message.ts';
import { addressingOf, seededText, seedRoom } from './seed.ts';

const shape = { members: 3, messages: 37, unread: 12 };
const last = shape.members + shape.messages;

interface MadeRoom {
  readonly id: string;
  readonly members: readonly (Required<Caller> & { readonly address: string })[];
}

let h: TestHub;
let seeded: MadeRoom;
let made: MadeRoom;

beforeAll(async () => {
  h = await startTestHub();
  seeded = await seedRoom(h, shape);
  made = await makeRoom();
});
afterAll(() => h.close());

/** Joins and sends what a seeded room has, through the operations. */
async function makeRoom(): Promise<MadeRoom> {
  const id = h.newId('r_');
  const accounts = Array.from({ length: shape.members }, (_, index) => `${id}-${index + 1}`);
  const handleOf = (index: number) => `made_${index + 1}`;
  for (const [index, account] of accounts.entries()) {
    await h.call('claim_handle', { account }, { handle: handleOf(index) });
  }
  const [owner = ''] = accounts;
  const description = seededText.description;
  const { code } = await h.call(
    'new_room',
    { account: owner },
    { id, name: 'seeded', description },
  );
  const members: MadeRoom['members'][number][] = [];
  for (const [index, account] of accounts.entries()) {
    const host = seeded.members[index]?.host ?? 'claude';
    const caller = { account, room: id, host, conversation: `${account}-conversation` };
    const workspace = { repo: '', branch: '' };
    const { intro } = seededText;
    await h.call('join', caller, { code, intro, name: 'worker', workspace });
    members.push({ ...caller, address: `${handleOf(index)}/worker` });
  }
  for (let seq = shape.members + 1; seq <= last; seq += 1) {
    const { from, to, toRoom } = addressingOf(seq, shape.members);
    const sender = members[from - 1];
    if (sender === undefined) throw new Error('nobody to send it');
    await h.call('send', sender, {
      id: h.newId('m_'),
      to: toRoom ? wholeRoom : to.map((no) => members[no - 1]?.address ?? ''),
      body: seededText.body,
    });
  }
  for (const member of members) await h.call('read', member, { upTo: last - shape.unread });
  return { id, members };
}

async function itemsUnder(pk: string): Promise<Record<string, unknown>[]> {
  const { Items = [] } = await h.hub.table.client.send(
    new QueryCommand({
      TableName: h.hub.table.name,
      KeyConditionExpression: 'pk = :pk',
      ExpressionAttributeValues: { ':pk': pk },
      ConsistentRead: true,
    }),
  );
  return Items;
}

/** Sort key and the kind of each attribute; names in keys differ between the rooms. */
function shapesOf(items: readonly Record<string, unknown>[]) {
  return items.map(({ sk, pk: _, ...attributes }) => [
    String(sk).replace(/^(ADDRESS|ROOM|CONVERSATION).*/, '$1'),
    Object.fromEntries(
      Object.entries(attributes)
        .map(([name, value]) => [name, Object.prototype.toString.call(value)])
        .sort(),
    ),
  ]);
}

async function shapesOfRoom({ id, members }: MadeRoom) {
  const room = await itemsUnder(keys.clock(id).pk);
  const messages = room.flatMap((item) => (typeof item['id'] === 'string' ? [item['id']] : []));
  const partitions = [
    ...messages.map((message) => keys.message(message).pk),
    ...members.map(({ account }) => keys.profile(account).pk),
  ];
  return [room, ...(await Promise.all(partitions.map(itemsUnder)))].map(shapesOf);
}

it('has the same items with the same attributes', async () => {
  const shapes = await shapesOfRoom(seeded);
  expect(shapes.flat().length).toBeGreaterThan(2 * last);
  expect(shapes).toEqual(await shapesOfRoom(made));
});

it('its clock stands where the other one does', async () => {
  const clockOf = async ({ id }: MadeRoom) => {
    const [clock] = (await itemsUnder(keys.clock(id).pk)).filter(({ sk }) => sk === 'CLOCK');
    const { pk: _, lastExpiresAt: __, ...rest } = clock ?? {};
    return rest;
  };
  expect(await clockOf(seeded)).toEqual(await clockOf(made));
});

/** An answer without what is different in any two rooms, and what it cost. */
async function asSeen(room: MadeRoom, index: number, operation: 'history' | 'inbox' | 'members') {
  const member = room.members[index];
  if (member === undefined) throw new Error(`no member ${index}`);
  const { reads, writes, result } = await h.db.ledger.measure(() => h.call(operation, member, {}));
  const own = /"(id|createdAt|joinedAt|lastActiveAt)":("[^"]*"|\d+)/g;
  const text = JSON.stringify(result).replaceAll(own, '');
  const anonymous = room.members.reduce(
    (all, { address }, place) => all.replaceAll(address, `member ${place}`),
    text,
  );
  return { reads, writes, anonymous };
}

it.each(['history', 'members', 'inbox'] as const)('%s: same answer, same cost', async (name) => {
  for (const index of seeded.members.keys()) {
    const answer = await asSeen(seeded, index, name);
    expect(answer.anonymous).toContain('member 1');
    expect(answer).toEqual(await asSeen(made, index, name));
  }
});

it('takes the next message, which is read back behind it', async () => {
  const [writer, reader] = seeded.members;
  if (writer === undefined || reader === undefined) throw new Error('the room is empty');
  const body = 'the first one of our own';
  const { seq } = await h.call('send', writer, { id: h.newId('m_'), to: [reader.address], body });
  expect(seq).toBe(last + 1);
  const { messages, remaining } = await h.call('inbox', reader, {});
  expect(messages.at(-1)).toMatchObject({ seq, body, from: writer.address });
  expect(remaining).toBeNull();
});
