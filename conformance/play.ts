// Plays one scenario over HTTP and links, or says why it cannot be played here.
import type { Client } from './client.ts';
import type { SendRaw } from './http-client.ts';
import type { RoomLinks } from './room-links.ts';
import type { Need, Scenario } from './scenario.ts';
import { createWorld, type LinkWorld, type Surroundings } from './world.ts';

export interface Stage extends Surroundings {
  readonly client: Client;
  readonly http: SendRaw;
  readonly links: RoomLinks;
}

/** The same place for scenarios of the room link: operations go over the same client. */
export function besideLinks(stage: Stage): Stage {
  return { ...stage, client: { ...stage.client, binding: 'link' } };
}

const met: Readonly<Record<Need, { reason: string; holds: (stage: Stage) => boolean }>> = {
  'two-accounts': { reason: 'needs two accounts', holds: ({ accounts }) => accounts.length >= 2 },
  'three-accounts': {
    reason: 'needs three accounts',
    holds: ({ accounts }) => accounts.length >= 3,
  },
  'new-accounts': {
    reason: 'needs accounts that have never been used',
    holds: ({ newAccount }) => newAccount !== undefined,
  },
  clock: {
    reason: 'needs a Hub whose clock can be moved',
    holds: ({ advanceMs }) => advanceMs !== undefined,
  },
};

/** Why a scenario cannot be played here; undefined if it can. */
export function reasonNotToPlay(
  { bindings, needs = [] }: Pick<Scenario, 'bindings' | 'needs'>,
  stage: Stage,
): string | undefined {
  const { binding } = stage.client;
  if (!bindings.includes(binding)) return `needs another binding than ${binding}`;
  return needs.map((need) => met[need]).find(({ holds }) => !holds(stage))?.reason;
}

/** Plays a scenario in a world of its own, whose links are closed and rooms deleted afterwards. */
export async function play(scenario: Scenario<LinkWorld>, stage: Stage): Promise<void> {
  const { http, links } = stage;
  const world = createWorld(stage);
  const cleanUp = async () => {
    await links.closeAll();
    await world.deleteRooms();
  };
  try {
    await scenario.play(Object.assign(world, { http, openLink: links.open, listen: links.listen }));
  } catch (error) {
    // What went wrong first is what counts.
    await cleanUp().catch(() => {});
    throw error;
  }
  await cleanUp();
}
