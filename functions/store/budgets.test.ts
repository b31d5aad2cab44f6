// Every operation's units within its budget, in rooms of several sizes, and the same in all of
// them.
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { seedRoom } from '../../bench/seed.ts';
import { type Measured, measures, readInbox } from '../../bench/units.ts';
import { startTestHub, type TestHub } from '../testing/test-hub.ts';

const shapes = [
  { members: 2, messages: 10 },
  { members: 2, messages: 2_000 },
  { members: 50, messages: 10 },
  { members: 50, messages: 2_000 },
];
const nameOf = (shape: { members: number; messages: number }) =>
  `${shape.members} members, ${shape.messages} messages`;

let h: TestHub;
const results = new Map<string, Record<string, Measured>>();

beforeAll(async () => {
  const bucket = { size: 1e6, refillPerMinute: 1e6 };
  h = await startTestHub({ policy: { membersPerRoom: 51, bucket } });
  for (const shape of shapes) {
    const room = await seedRoom(h, shape);
    const result: Record<string, Measured> = {};
    for (const [name, measure] of Object.entries(measures)) result[name] = await measure(h, room);
    results.set(nameOf(shape), result);
  }
});
afterAll(() => h.close());

function resultOf(shape: { members: number; messages: number }, name: string): Measured {
  const result = results.get(nameOf(shape))?.[name];
  if (result === undefined) throw new Error(`${name} was not measured`);
  return result;
}

describe.each(shapes.map((shape) => [nameOf(shape), shape] as const))('%s', (_, shape) => {
  it.each(Object.keys(measures))('%s', (name) => {
    const { used, budget, errors } = resultOf(shape, name);
    expect(errors).toEqual([]);
    expect(used.writes).toBeLessThanOrEqual(budget.writes);
    expect(used.reads).toBeLessThanOrEqual(budget.reads);
  });
});

describe.each([2, 50])('%d members', (members) => {
  it.each(Object.keys(measures))('%s costs the same after 10 and after 2,000 messages', (name) => {
    expect(resultOf({ members, messages: 2_000 }, name)).toEqual(
      resultOf({ members, messages: 10 }, name),
    );
  });
});

describe('a send', () => {
  const small = { members: 2, messages: 2_000 };
  const large = { members: 50, messages: 2_000 };
  const toOneOrAll = Object.keys(measures).filter((name) => /^(send|reply)/.test(name));

  it.each(toOneOrAll.filter((name) => !name.endsWith('to ten')))(
    '%s costs the same among 2 and among 50, but for the presence of its recipients',
    (name) => expect(resultOf(large, name).used).toEqual(resultOf(small, name).used),
  );

  it('to one reads the presence of one, in a room of any size', () => {
    const [few, many] = [small, large].map((shape) => resultOf(shape, 'send 100 B').presence);
    expect(many).toBe(few);
  });
});

it('writes lastActiveAt alone only when it is older than a minute', () => {
  const [shape] = shapes;
  if (shape === undefined) throw new Error('no room was measured');
  expect(resultOf(shape, 'inbox, empty').used.writes).toBe(0);
  expect(resultOf(shape, 'inbox after a minute').used.writes).toBe(1);
});

it('a long walk to a full batch stays within the budget of its headers', async () => {
  const unread = 1_000;
  const room = await seedRoom(h, { members: 50, messages: 2_000, unread });
  const [reader] = room.members;
  if (reader === undefined) throw new Error('the room is empty');
  const walk = await readInbox(h, reader, 'push', 2_050);
  expect(walk.used.reads).toBeGreaterThan(unread / 50);
  expect(walk.used.reads).toBeLessThanOrEqual(walk.budget.reads);
});
