// Plays one scenario over HTTP, or says why it cannot be played here.
import type { Client } from './client.ts';
import type { SendRaw } from './http-client.ts';
import type { Need, Scenario } from './scenario.ts';
import { createWorld, type HttpWorld, type Surroundings } from './world.ts';

export interface Stage extends Surroundings {
  readonly client: Client;
  readonly http: SendRaw;
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

/** Plays a scenario in a world of its own, whose rooms are deleted afterwards. */
export async function play(scenario: Scenario<HttpWorld>, stage: Stage): Promise<void> {
  const world = createWorld(stage);
  try {
    await scenario.play(Object.assign(world, { http: stage.http }));
  } catch (error) {
    // What went wrong first is what counts.
    await world.deleteRooms().catch(() => {});
    throw error;
  }
  await world.deleteRooms();
}
