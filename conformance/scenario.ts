// What a scenario is: something that happens on a Hub, and the requirements it shows to hold.
import type { PlayedBinding } from './client.ts';
import type { RequirementId } from './requirements.ts';
import type { World } from './world.ts';

/** What a scenario needs besides a Hub and one account. */
export type Need =
  | 'two-accounts'
  | 'three-accounts'
  | 'new-accounts'
  | 'devices'
  | 'chats'
  | 'clock';

export interface Scenario<Stage extends World = World> {
  /** A sentence about the Hub. */
  readonly title: string;
  readonly cites: readonly RequirementId[];
  readonly bindings: readonly PlayedBinding[];
  readonly needs?: readonly Need[];
  /** Rejects if the Hub does anything else. */
  readonly play: (stage: Stage) => Promise<void>;
}

/** Played through operations that are tools as well. */
export const everyBinding = ['http', 'mcp'] as const;
export const overHttp = ['http'] as const;
export const overLink = ['link'] as const;
export const overMcp = ['mcp'] as const;
export const overSignIn = ['sign-in'] as const;
