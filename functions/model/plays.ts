// What the model's actors may do, as fast-check generates it: steps, and plays made of them.
import * as fc from 'fast-check';
import {
  join,
  members,
  newcomers,
  owner,
  purge,
  type Role,
  receive,
  rooms,
  type Stage,
} from './stage.ts';

/** One thing an actor does. */
export interface Step {
  readonly [fc.toStringMethod]: () => string;
  readonly run: (stage: Stage, actor: Role) => Promise<unknown>;
}

const step = (shown: string, run: Step['run']): Step => ({ [fc.toStringMethod]: () => shown, run });
const steps = <Input>(
  name: string,
  inputs: fc.Arbitrary<Input>,
  run: (stage: Stage, actor: Role, input: Input) => Promise<unknown>,
): fc.Arbitrary<Step> =>
  inputs.map((input) =>
    step(`${name} ${fc.stringify(input)}`, (stage, actor) => run(stage, actor, input)),
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
  async ({ observer, sent }, actor, { room, replyTo, ...input }) => {
    const original = replyTo === null ? undefined : sent.at(-1 - replyTo);
    const id = `m_${String(sent.length).padStart(10, '0')}`;
    sent.push(id);
    const message = { ...input, id, body: `body of ${id}`, ...(original && { replyTo: original }) };
    await observer.call('send', actor, room, message);
  },
);

/** A message whose ID others use as well: mostly the same one, as a repeat is. */
export const sendShared = steps(
  'send shared',
  fc.record({ id: fc.nat(1), isOther: fc.boolean(), times: fc.integer({ min: 1, max: 2 }) }),
  async ({ observer }, actor, { id, isOther, times }) => {
    const body = `shared ${id}${isOther ? ', but other' : ''}`;
    const message = { id: `m_shared000${id}`, to: ['carol/gamma', 'bob/beta'], body };
    for (let time = 0; time < times; time += 1) {
      await observer.call('send', actor, rooms.x, message);
    }
  },
);

export const receiveMail = steps(
  'receive',
  fc.record({ room, isConfirmed: fc.boolean() }),
  (stage, actor, { room, isConfirmed }) => receive(stage, actor, room, isConfirmed),
);
export const look = steps('look', room, async ({ observer }, actor, room) => {
  await observer.call('history', actor, room, {});
  await observer.call('members', actor, room, {});
});
export const leave = steps('leave', room, ({ observer }, actor, room) =>
  observer.call('leave', actor, room, {}),
);
export const removeMember = steps(
  'remove',
  fc.constantFrom(...addresses),
  (stage, _actor, member) => stage.observer.call('leave', owner, rooms.x, { member }),
);
export const rename = steps(
  'rename',
  fc.record({
    name: fc.constantFrom('omega', 'beta', 'delta'),
    member: fc.option(fc.constantFrom('beta', 'delta', 'omega'), { nil: undefined }),
  }),
  ({ observer }, actor, { name, member }) =>
    observer.call('rename', actor, rooms.x, { name, ...(member && { member }) }),
);
export const joinRoom = steps(
  'join',
  fc.record({ room: fc.constantFrom(rooms.x, rooms.y) }),
  (stage, actor, { room }) => join(stage, actor, room),
);
export const continueMember = steps(
  'continue',
  fc.constantFrom('beta', 'delta', 'omega'),
  (stage, actor, as) => join(stage, actor, rooms.x, as),
);
export const deleteMessage = steps('delete', fc.nat(5), async (stage, actor, index) => {
  const id = stage.sent.at(-1 - index);
  if (id !== undefined) await stage.observer.call('delete_message', actor, rooms.x, { id });
});
/** Says something and takes it back before everybody can have read it. */
export const takeBack = steps('take back', fc.constant(rooms.x), async (stage, actor, room) => {
  const id = `m_${String(stage.sent.length).padStart(10, '0')}`;
  stage.sent.push(id);
  const message = { id, to: '@room' as const, body: `body of ${id}` };
  await stage.observer.call('send', actor, room, message);
  await stage.observer.call('delete_message', actor, room, { id });
});
export const deleteRoom = steps(
  'delete room',
  fc.constant(rooms.x),
  async (stage, _actor, room) => {
    if ((await stage.observer.call('delete_room', owner, undefined, { room })) !== undefined) {
      await purge(stage, room);
    }
  },
);
/** Time-to-live: storage deletes some of what expired, whenever it likes. */
export const sweep = steps(
  'sweep',
  fc.double({ min: 0.2, max: 1, noNaN: true }),
  async (stage, _actor, share) => {
    const { world } = stage;
    await world.turn('sweep');
    world.table.expire(Math.floor(world.nowMs() / 1000), () => world.random() < share);
  },
);

/** An actor and what it does, one step after the other. */
export interface Part {
  readonly actor: Role;
  readonly steps: readonly Step[];
}
/** Parts that are played side by side, after some time has passed. */
export interface Scene {
  readonly passHours: number;
  readonly parts: readonly Part[];
}

type Weighted = readonly (readonly [weight: number, step: fc.Arbitrary<Step>])[];

export function part(actors: readonly Role[], choice: Weighted, maxSteps = 3): fc.Arbitrary<Part> {
  const anyStep = fc.oneof(...choice.map(([weight, arbitrary]) => ({ weight, arbitrary })));
  return fc.record({
    actor: fc.constantFrom(...actors),
    steps: fc.array(anyStep, { minLength: 1, maxLength: maxSteps }),
  });
}

export const everyMember = Object.values(members);
export const everyNewcomer = Object.values(newcomers);
export const everybody = [...everyMember, ...everyNewcomer];

export function scenes(
  parts: fc.Arbitrary<Part>,
  {
    maxScenes = 2,
    maxParts = 4,
    hours = [0],
  }: {
    readonly maxScenes?: number;
    readonly maxParts?: number;
    readonly hours?: readonly number[];
  } = {},
): fc.Arbitrary<Scene[]> {
  const scene = fc.record({
    passHours: fc.constantFrom(...hours),
    parts: fc.array(parts, { minLength: 2, maxLength: maxParts }),
  });
  return fc.array(scene, { minLength: 1, maxLength: maxScenes });
}
