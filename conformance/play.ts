// Plays one scenario over HTTP, MCP or links, or says why it cannot be played here.
import type { Client, PlayedBinding } from './client.ts';
import type { SendRaw } from './http-client.ts';
import type { McpChats } from './mcp-chats.ts';
import { mcpClient } from './mcp-client.ts';
import type { RoomLinks } from './room-links.ts';
import type { Need, Scenario } from './scenario.ts';
import { createWorld, type LinkWorld, type Surroundings } from './world.ts';

export interface Stage extends Surroundings {
  readonly client: Client;
  readonly http: SendRaw;
  readonly links: RoomLinks;
  readonly chats: McpChats;
}

/** The same place for scenarios of another binding, whose operations go over the same client. */
function beside(stage: Stage, binding: PlayedBinding): Stage {
  return { ...stage, client: { ...stage.client, binding } };
}

/** A place for each binding. */
export function stagesOf(stage: Stage): Readonly<Record<PlayedBinding, Stage>> {
  return {
    http: stage,
    mcp: overMcp(stage),
    link: beside(stage, 'link'),
    'sign-in': beside(stage, 'sign-in'),
  };
}

/** The same place for scenarios of chats: operations that are tools go over MCP. */
function overMcp(stage: Stage): Stage {
  return { ...stage, client: mcpClient(stage.chats, stage.client) };
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
  devices: {
    reason: 'needs accounts for which machines can be signed in',
    holds: ({ accounts }) => accounts.every(({ decideLogin }) => decideLogin !== undefined),
  },
  chats: {
    reason: 'needs accounts for which chats can be connected',
    holds: ({ accounts }) => accounts.every(({ connectorToken }) => connectorToken !== undefined),
  },
  clock: {
    reason: 'needs a Hub whose clock can be moved',
    holds: ({ advanceMs }) => advanceMs !== undefined,
  },
};

const needsOf: Readonly<Record<PlayedBinding, readonly Need[]>> = {
  http: [],
  mcp: ['chats'],
  link: [],
  'sign-in': ['devices'],
};

/** Why a scenario cannot be played here; undefined if it can. */
export function reasonNotToPlay(
  { bindings, needs = [] }: Pick<Scenario, 'bindings' | 'needs'>,
  stage: Stage,
): string | undefined {
  const { binding } = stage.client;
  if (!bindings.includes(binding)) return `needs another binding than ${binding}`;
  return [...needs, ...needsOf[binding]].map((need) => met[need]).find(({ holds }) => !holds(stage))
    ?.reason;
}

/** Plays a scenario in a world of its own, whose links are closed and rooms deleted afterwards. */
export async function play(scenario: Scenario<LinkWorld>, stage: Stage): Promise<void> {
  const { http, links, chats } = stage;
  const world = createWorld(stage);
  const cleanUp = async () => {
    await links.closeAll();
    await world.deleteRooms();
  };
  try {
    await scenario.play(
      Object.assign(world, { http, chats, openLink: links.open, listen: links.listen }),
    );
  } catch (error) {
    // What went wrong first is what counts.
    await cleanUp().catch(() => {});
    throw error;
  }
  await cleanUp();
}
