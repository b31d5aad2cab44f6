// Two rooms, three accounts and their conversations: where every scenario of the model begins.
import type * as fc from 'fast-check';
import type { HostKind } from '../../../protocol/nouns.ts';
import { purgeRoom } from '../../store/purge.ts';
import { type Caller, createObserver, type Observer } from './observations.ts';
import { type Chaos, calm, createWorld, type World } from './world.ts';

/** A host conversation, and the name it would join under. */
export interface Conversation extends Caller {
  readonly host: HostKind;
  readonly conversation: string;
  readonly as: string;
}

const conversationOf = (
  account: string,
  host: HostKind,
  conversation: string,
  as: string,
): Conversation => ({
  ...{ account, host, conversation, as },
});

/** Members of room x at the beginning: two of each tier. */
export const members = {
  alpha: conversationOf('alice', 'claude', 'a1', 'alpha'),
  beta: conversationOf('bob', 'web', 'b1', 'beta'),
  gamma: conversationOf('carol', 'chatgpt-web', 'c1', 'gamma'),
  delta: conversationOf('bob', 'pi', 'b2', 'delta'),
} as const;
/** Conversations that are in no room yet. */
export const newcomers = {
  zeta: conversationOf('bob', 'web', 'b3', 'beta'),
  eta: conversationOf('bob', 'codex', 'b4', 'eta'),
  iota: conversationOf('carol', 'web', 'c2', 'gamma'),
  site: conversationOf('alice', 'website', 'site', 'website'),
} as const;
export const everyMember = Object.values(members);
export const everyNewcomer = Object.values(newcomers);
export const everyConversation = [...everyMember, ...everyNewcomer];

export const owner: Caller = { account: 'alice' };

export const rooms = { x: 'r_000000x0', y: 'r_000000y0' } as const;
export type RoomName = keyof typeof rooms;

export interface Fixture {
  readonly world: World;
  readonly observer: Observer;
  readonly codes: Map<string, string>;
  /** IDs of the messages that were sent, in the order of their sending. */
  readonly sent: string[];
  readonly purged: Set<string>;
}

/** The rooms, with the members in x. */
export async function makeFixture(): Promise<Fixture> {
  const world = createWorld(undefined, 0, calm);
  const observer = createObserver(world);
  const codes = new Map<string, string>();
  for (const account of ['alice', 'bob', 'carol']) {
    await observer.call('claim_handle', { account }, undefined, { handle: account });
  }
  for (const [name, id] of Object.entries(rooms)) {
    const room = { id, name: `Room ${name}`, description: '' };
    const made = await observer.call('new_room', owner, undefined, room);
    codes.set(id, made?.code ?? '');
  }
  const fixture = { world, observer, codes, sent: [], purged: new Set<string>() };
  for (const each of Object.values(members)) await join(fixture, each, rooms.x);
  return fixture;
}

/** The same again, for one scenario. */
export function copyFixture(
  { world, codes }: Fixture,
  scheduler: fc.Scheduler,
  seed: number,
  chaos: Chaos,
): Fixture {
  const copy = createWorld(scheduler, seed, chaos, world);
  return { world: copy, observer: createObserver(copy), codes, sent: [], purged: new Set() };
}

/** Joins by code, the website by room. */
export function join(
  fixture: Fixture,
  { as: name, ...caller }: Conversation,
  room: string,
  as?: string,
) {
  const by = caller.host === 'website' ? { room } : { code: fixture.codes.get(room) ?? '' };
  const workspace = { repo: '', branch: '' };
  const input = { ...by, intro: `I am ${name}.`, name, workspace, ...(as && { as }) };
  return fixture.observer.call('join', caller, undefined, input);
}

/** Reads the inbox once, and confirms it as a push client does. */
export async function receive(
  { observer }: Fixture,
  caller: Conversation,
  room: string,
  isConfirmed = true,
): Promise<number> {
  const batch = await observer.call('inbox', caller, room, {});
  if (batch === undefined || batch.messages.length === 0) return 0;
  if (isPush(caller) && isConfirmed) {
    await observer.call('read', caller, room, { upTo: batch.upTo });
  }
  return batch.messages.length;
}

const pushHosts: ReadonlySet<HostKind> = new Set(['claude', 'codex', 'pi']);
export const isPush = ({ host }: { readonly host: HostKind }) => pushHosts.has(host);

/** Erases a deleted room as the purge function does: later, and in several invocations. */
export async function purge({ world, purged }: Fixture, room: string): Promise<void> {
  const deletedBy = world.table.commits.length;
  while (world.settledCommits() < deletedBy) await world.turn('settle');
  const { table } = world.hub(purger);
  const isDone = () => purgeRoom(table, room, () => world.random() < 0.7);
  // An invocation that fails is repeated by its queue.
  while (!(await isDone().catch(() => false)));
  purged.add(room);
}
export const purger = 'purge';
