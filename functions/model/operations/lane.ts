// One room that sequence after sequence runs in, with its accounts and conversations.

import type { HostKind } from '../../../protocol/nouns.ts';
import type { OperationRequest } from '../../../protocol/operations/index.ts';
import type { Caller, TestHub } from '../../testing/test-hub.ts';
import { type Attempt, type Attempted, type Attempts, attempt } from './attempts.ts';
import { emptyReference, type Reference } from './reference.ts';

/** A host conversation of one of the lane's accounts. */
export interface Conversation extends Caller {
  readonly room: string;
  readonly host: HostKind;
  readonly conversation: string;
}

export interface Lane {
  readonly hub: TestHub;
  readonly room: string;
  readonly code: string;
  /** The first of them owns the room. */
  readonly accounts: readonly string[];
  readonly conversations: readonly Conversation[];
  readonly reference: Reference;
  /** What pull members were given, by stay. */
  readonly delivered: Map<number, Set<string>>;
  /** Sends of earlier rounds that succeeded. */
  readonly sends: Attempt<'send'>[];
  readonly calls: { count: number };
}

/** Hosts of each account's conversations: both tiers for everybody, the website for the owner. */
const hosts: readonly (readonly HostKind[])[] = [
  ['claude', 'chatgpt-web', 'website'],
  ['codex', 'web', 'opencode'],
  ['pi', 'claude-web'],
];

export async function openLane(hub: TestHub, number: number): Promise<Lane> {
  const accounts = hosts.map((_, index) => `lane${number}_${index}`);
  const room = hub.newId('r_');
  const calls = { count: 0 };
  for (const account of accounts) {
    await sure(attempt(hub, 'claim_handle', { account }, { handle: account }, calls));
  }
  const owner = { account: accounts[0] ?? '' };
  const input = { id: room, name: `Lane ${number}`, description: '' };
  const made = await sure(attempt(hub, 'new_room', owner, input, calls));
  const conversations = hosts.flatMap((kinds, index) =>
    kinds.map((host) => ({
      ...{ account: accounts[index] ?? '', room, host },
      conversation: host === 'website' ? 'site' : `${host}-${number}`,
    })),
  );
  return {
    ...{ hub, room, accounts, conversations, calls, code: made.code },
    ...{ reference: emptyReference(), delivered: new Map(), sends: [] },
  };
}

/** The result; a refusal is none that is expected. */
async function sure<Result>(made: Promise<{ result?: Result; code?: string }>): Promise<Result> {
  const { result, code } = await made;
  if (result === undefined) throw new Error(`refused with ${code}`);
  return result;
}

/** Calls an operation and keeps what came of it. */
export async function act<Name extends Attempted>(
  { hub, calls }: Lane,
  round: Attempts,
  operation: Name,
  caller: Caller,
  input: OperationRequest<Name>,
): Promise<Attempt<Name>> {
  const made = await attempt<Name>(hub, operation, caller, input, calls);
  const kept: { readonly [Kind in Attempted]: Attempt<Kind>[] } = round;
  kept[operation].push(made);
  return made;
}

/** The account as an observer of the lane's room. */
export const observerOf = ({ room }: Lane, account: string): Caller => ({ account, room });

export function pick<Item>(items: readonly Item[], lot: number): Item | undefined {
  return items.length === 0 ? undefined : items[lot % items.length];
}
