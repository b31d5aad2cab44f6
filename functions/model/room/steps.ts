// What conversations do in the room's model, as fast-check generates it, and when.
import * as fc from 'fast-check';
import { type Conversation, type Fixture, join, owner, purge, receive, rooms } from './fixture.ts';

/** One thing that a conversation does. */
export interface Step {
  readonly [fc.toStringMethod]: () => string;
  readonly run: (fixture: Fixture, caller: Conversation) => Promise<unknown>;
}

const step = (shown: string, run: Step['run']): Step => ({ [fc.toStringMethod]: () => shown, run });
const steps = <Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  run: (fixture: Fixture, caller: Conversation, input: Input) => Promise<unknown>,
): fc.Arbitrary<Step> =>
  inputs.map((input) =>
    step(`${name} ${fc.stringify(input)}`, (fixture, caller) => run(fixture, caller, input)),
  );

const addresses = ['alice/alpha', 'bob/beta', 'bob/delta', 'carol/gamma', 'bob/omega'] as const;
const named = fc.subarray([...addresses], { minLength: 1, maxLength: 2 });
const to = fc.oneof(
  { weight: 4, arbitrary: named },
  { weight: 3, arbitrary: fc.constant<'@room'>('@room') },
  { weight: 1, arbitrary: fc.constant<string[]>([]) },
);
const room = fc.oneof(
  { weight: 9, arbitrary: fc.constant(rooms.x) },
  { weight: 1, arbitrary: fc.constant(rooms.y) },
);

export const send = steps(
  'send',
  fc.record({ to, dm: fc.boolean(), replyTo: fc.option(fc.nat(9), { freq: 3 }), room }),
  async ({ observer, sent }, caller, { room, replyTo, ...input }) => {
    const original = replyTo === null ? undefined : sent.at(-1 - replyTo);
    const id = `m_${String(sent.length).padStart(10, '0')}`;
    sent.push(id);
    const message = { ...input, id, body: `body of ${id}`, ...(original && { replyTo: original }) };
    await observer.call('send', caller, room, message);
  },
);

/** A message whose ID others use as well: mostly the same one, as a repeat is. */
export const sendShared = steps(
  'send shared',
  fc.record({ id: fc.nat(1), isOther: fc.boolean(), times: fc.integer({ min: 1, max: 2 }) }),
  async ({ observer }, caller, { id, isOther, times }) => {
    const body = `shared ${id}${isOther ? ', but other' : ''}`;
    const message = { id: `m_shared000${id}`, to: ['carol/gamma', 'bob/beta'], body };
    for (let time = 0; time < times; time += 1) {
      await observer.call('send', caller, rooms.x, message);
    }
  },
);

export const receiveMail = steps(
  'receive',
  fc.record({ room, isConfirmed: fc.boolean() }),
  (fixture, caller, { room, isConfirmed }) => receive(fixture, caller, room, isConfirmed),
);
export const look = steps('look', room, async ({ observer }, caller, room) => {
  await observer.call('history', caller, room, {});
  await observer.call('members', caller, room, {});
});
export const leave = steps('leave', room, ({ observer }, caller, room) =>
  observer.call('leave', caller, room, {}),
);
export const removeMember = steps(
  'remove',
  fc.constantFrom(...addresses),
  (fixture, _caller, member) => fixture.observer.call('leave', owner, rooms.x, { member }),
);
export const rename = steps(
  'rename',
  fc.record({
    name: fc.constantFrom('omega', 'beta', 'delta'),
    member: fc.option(fc.constantFrom('beta', 'delta', 'omega'), { nil: undefined }),
  }),
  ({ observer }, caller, { name, member }) =>
    observer.call('rename', caller, rooms.x, { name, ...(member && { member }) }),
);
export const joinRoom = steps(
  'join',
  fc.record({ room: fc.constantFrom(rooms.x, rooms.y) }),
  (fixture, caller, { room }) => join(fixture, caller, room),
);
export const continueMember = steps(
  'continue',
  fc.constantFrom('beta', 'delta', 'omega'),
  (fixture, caller, as) => join(fixture, caller, rooms.x, as),
);
export const deleteMessage = steps('delete', fc.nat(5), async (fixture, caller, index) => {
  const id = fixture.sent.at(-1 - index);
  if (id !== undefined) await fixture.observer.call('delete_message', caller, rooms.x, { id });
});
/** Says something and takes it back before everyConversation can have read it. */
export const takeBack = steps('take back', fc.constant(rooms.x), async (fixture, caller, room) => {
  const id = `m_${String(fixture.sent.length).padStart(10, '0')}`;
  fixture.sent.push(id);
  const message = { id, to: '@room' as const, body: `body of ${id}` };
  await fixture.observer.call('send', caller, room, message);
  await fixture.observer.call('delete_message', caller, room, { id });
});
export const deleteRoom = steps(
  'delete room',
  fc.constant(rooms.x),
  async (fixture, _caller, room) => {
    if ((await fixture.observer.call('delete_room', owner, undefined, { room })) !== undefined) {
      await purge(fixture, room);
    }
  },
);
/** Time-to-live: storage deletes some of what expired, whenever it likes. */
export const sweep = steps(
  'sweep',
  fc.double({ min: 0.2, max: 1, noNaN: true }),
  async (fixture, _caller, share) => {
    const { world } = fixture;
    await world.turn('sweep');
    world.table.expire(Math.floor(world.nowMs() / 1000), () => world.random() < share);
  },
);
