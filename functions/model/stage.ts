// Two rooms, three people and their conversations: where the model's plays take place.
import type * as fc from 'fast-check';
import type { HostKind } from '../../protocol/nouns.ts';
import { purgeRoom } from '../store/purge.ts';
import { type Caller, createObserver, type Observer } from './observations.ts';
import { type Chaos, calm, createWorld, type World } from './world.ts';

/** A conversation of the play, and the name it would join under. */
export interface Role extends Caller {
  readonly host: HostKind;
  readonly conversation: string;
  readonly as: string;
}

const role = (account: string, host: HostKind, conversation: string, as: string): Role => ({
  ...{ account, host, conversation, as },
});

/** Members of room x when the play begins: two of each tier. */
export const members = {
  alpha: role('alice', 'claude', 'a1', 'alpha'),
  beta: role('bob', 'web', 'b1', 'beta'),
  gamma: role('carol', 'chatgpt-web', 'c1', 'gamma'),
  delta: role('bob', 'pi', 'b2', 'delta'),
} as const;
/** Conversations that are in no room yet. */
export const newcomers = {
  zeta: role('bob', 'web', 'b3', 'beta'),
  eta: role('bob', 'codex', 'b4', 'eta'),
  iota: role('carol', 'web', 'c2', 'gamma'),
  site: role('alice', 'website', 'site', 'website'),
} as const;
export const owner: Caller = { account: 'alice' };

export const rooms = { x: 'r_000000x0', y: 'r_000000y0' } as const;
export type RoomName = keyof typeof rooms;

export interface Stage {
  readonly world: World;
  readonly observer: Observer;
  readonly codes: Map<string, string>;
  /** IDs of the messages that were sent, in the order of their sending. */
  readonly sent: string[];
  readonly purged: Set<string>;
}

/** The rooms, with the members in x: where every play begins. */
export async function setStage(): Promise<Stage> {
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
  const stage = { world, observer, codes, sent: [], purged: new Set<string>() };
  for (const each of Object.values(members)) await join(stage, each, rooms.x);
  return stage;
}

/** The same stage again, for another play. */
export function copyStage(
  { world, codes }: Stage,
  scheduler: fc.Scheduler,
  seed: number,
  chaos: Chaos,
): Stage {
  const copy = createWorld(scheduler, seed, chaos, world);
  return { world: copy, observer: createObserver(copy), codes, sent: [], purged: new Set() };
}

/** Joins by code, the website by room. */
export function join(stage: Stage, { as: name, ...caller }: Role, room: string, as?: string) {
  const by = caller.host === 'website' ? { room } : { code: stage.codes.get(room) ?? '' };
  const workspace = { repo: '', branch: '' };
  const input = { ...by, intro: `I am ${name}.`, name, workspace, ...(as && { as }) };
  return stage.observer.call('join', caller, undefined, input);
}

/** Reads the inbox once, and confirms it as a push client does. */
export async function receive(
  { observer }: Stage,
  caller: Role,
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
export async function purge({ world, purged }: Stage, room: string): Promise<void> {
  const deletedBy = world.table.commits.length;
  while (world.settledCommits() < deletedBy) await world.turn('settle');
  const { table } = world.hub(purger);
  const isDone = () => purgeRoom(table, room, () => world.random() < 0.7);
  // An invocation that fails is repeated by its queue.
  while (!(await isDone().catch(() => false)));
  purged.add(room);
}
export const purger = 'purge';
