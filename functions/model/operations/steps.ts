// What may happen in a round, and how lots become calls: members, addresses and messages are picked
// from the room as it was before the round.
import * as fc from 'fast-check';
import type { OperationRequest } from '../../../protocol/operations/index.ts';
import type { Attempts } from './attempts.ts';
import { act, type Conversation, type Lane, observerOf, pick } from './lane.ts';
import { addressOf, presentIn, type Stay, stayOf } from './reference.ts';

/** Lots of one step; what they pick depends on the room. */
export interface Step {
  readonly kind: keyof typeof actions;
  readonly who: number;
  readonly whom: number;
  readonly what: number;
}

/** A round being planned. */
export interface Plan {
  readonly attempts: Attempts;
  /** Stays that somebody renames, continues or ends in this round: each once. */
  readonly touched: Set<number>;
  /** Whether anybody comes, goes, or gets another name or conversation. */
  changesRoster: boolean;
}

type Work = () => Promise<unknown>;
type Action = (lane: Lane, plan: Plan, lots: Omit<Step, 'kind'>) => Work | undefined;

/** A member and the conversation behind it. */
function speaker({ reference, conversations }: Lane, lot: number) {
  const stay = pick(presentIn(reference), lot);
  const caller = conversations.find(({ conversation }) => conversation === stay?.conversation);
  return stay === undefined || caller === undefined ? undefined : { stay, caller };
}

const absent = ({ reference, conversations }: Lane): Conversation[] =>
  conversations.filter(({ conversation }) => stayOf(reference, conversation) === undefined);

/** Claims a stay for the one roster change that it may see in this round. */
function claim(plan: Plan, stay: Stay | undefined): stay is Stay {
  if (stay === undefined || plan.touched.has(stay.no)) return false;
  plan.touched.add(stay.no);
  plan.changesRoster = true;
  return true;
}

const workspace = { repo: '', branch: '' };
const names = ['red', 'blue', 'green'] as const;
const recent = 25;

/** Short, long enough to be compressed, and no plain English. */
const texts = ['short', 'words and more words '.repeat(40), '🜁 זה טקסט \u202eabc'] as const;

function addressed(lane: Lane, { whom, what }: Pick<Step, 'whom' | 'what'>): '@room' | string[] {
  const kind = (what >> 4) % 12;
  if (kind < 3) return '@room';
  if (kind < 5) return [];
  if (kind === 5 && what % 4 === 0) return [`${lane.accounts[0]}/nobody`];
  const others = presentIn(lane.reference).map(addressOf);
  return [pick(others, whom), ...(kind < 8 ? [pick(others, what)] : [])].filter(
    (address) => address !== undefined,
  );
}

function send(
  lane: Lane,
  plan: Plan,
  caller: Conversation,
  input: Omit<OperationRequest<'send'>, 'id' | 'body'>,
  lot: number,
): Work {
  const id = lane.hub.newId('m_');
  const message = { ...input, id, body: `${pick(texts, lot)} ${id}` };
  // Some clients repeat what they have sent already.
  const times = lot % 6 === 0 ? 2 : 1;
  return async () => {
    for (let time = 0; time < times; time += 1) {
      await act(lane, plan.attempts, 'send', caller, message);
    }
  };
}

const actions = {
  say(lane, plan, { who, whom, what }) {
    const from = speaker(lane, who);
    if (from === undefined) return undefined;
    const to = addressed(lane, { whom, what });
    const isNamed = Array.isArray(to) && to.length > 0;
    const input = { to, dm: isNamed ? what % 3 === 0 : what % 11 === 0 };
    return send(lane, plan, from.caller, input, what);
  },
  reply(lane, plan, { who, whom, what }) {
    const from = speaker(lane, who);
    const original = pick(lane.reference.messages.slice(-recent), whom);
    if (from === undefined || original === undefined) return undefined;
    const to = what % 4 === 0 ? addressed(lane, { whom, what }) : [];
    return send(lane, plan, from.caller, { to, replyTo: original.id }, what);
  },
  repeat(lane, plan, { who, whom, what }) {
    const from = speaker(lane, who);
    const former = pick(lane.sends.slice(-recent), whom);
    if (from === undefined || former === undefined) return undefined;
    const input = what % 3 === 0 ? { ...former.input, body: 'something else' } : former.input;
    const caller = what % 3 === 1 ? from.caller : former.caller;
    return () => act(lane, plan.attempts, 'send', caller, input);
  },
  receive(lane, plan, { who, what }) {
    const to = speaker(lane, who);
    if (to === undefined) return undefined;
    const receive = async () => {
      const { result } = await act(lane, plan.attempts, 'inbox', to.caller, {});
      const upTo = pick(result?.messages ?? [], what)?.seq;
      if (upTo !== undefined) await act(lane, plan.attempts, 'read', to.caller, { upTo });
    };
    // Two processes of one conversation, at once.
    return what % 2 === 0 ? receive : () => Promise.all([receive(), receive()]);
  },
  readAnywhere(lane, plan, { who, what }) {
    const to = speaker(lane, who);
    if (to === undefined) return undefined;
    const upTo = Math.max(0, lane.reference.tick - (what % 12));
    return () => act(lane, plan.attempts, 'read', to.caller, { upTo });
  },
  look(lane, plan, { who, what }) {
    const from = speaker(lane, who);
    if (from === undefined) return undefined;
    const caller = what % 2 === 0 ? from.caller : observerOf(lane, from.caller.account);
    return what % 3 === 0
      ? () => act(lane, plan.attempts, 'members', caller, {})
      : () => act(lane, plan.attempts, 'history', caller, {});
  },
  join(lane, plan, { who, what }) {
    const caller = pick(absent(lane), who);
    if (caller === undefined) return undefined;
    const isSite = caller.host === 'website';
    const name = pick(names, what);
    plan.changesRoster = true;
    return () =>
      act(lane, plan.attempts, 'join', caller, {
        ...(isSite ? { room: lane.room } : { code: lane.code }),
        ...{ intro: `I am ${name} ${what}.`, workspace, ...(name !== undefined && { name }) },
      });
  },
  continue(lane, plan, { who, whom, what }) {
    const caller = pick(absent(lane), who);
    const mine = presentIn(lane.reference).filter(
      ({ account, host }) => account === caller?.account && host !== 'website',
    );
    const stay = pick(mine, whom);
    if (caller === undefined || caller.host === 'website' || !claim(plan, stay)) return undefined;
    const input = { code: lane.code, intro: `On as ${what}.`, as: stay.name, workspace };
    return () => act(lane, plan.attempts, 'join', caller, input);
  },
  leave(lane, plan, { who, what }) {
    const from = speaker(lane, who);
    // Rooms are fuller than empty.
    if (from === undefined || presentIn(lane.reference).length < 4) return undefined;
    if (!claim(plan, from.stay)) return undefined;
    const owner = observerOf(lane, lane.accounts[0] ?? '');
    const member = addressOf(from.stay);
    return what % 3 === 0
      ? () => act(lane, plan.attempts, 'leave', owner, { member })
      : () => act(lane, plan.attempts, 'leave', from.caller, {});
  },
  rename(lane, plan, { who, what }) {
    const from = speaker(lane, who);
    if (from === undefined || !claim(plan, from.stay)) return undefined;
    const name = `${pick(names, what)}${what % 2 === 0 ? '' : '-x'}`;
    const observer = observerOf(lane, from.caller.account);
    return what % 3 === 0
      ? () => act(lane, plan.attempts, 'rename', observer, { member: addressOf(from.stay), name })
      : () => act(lane, plan.attempts, 'rename', from.caller, { name });
  },
  deleteMessage(lane, plan, { who, whom, what }) {
    const message = pick(lane.reference.messages.slice(-recent), whom);
    if (message === undefined) return undefined;
    const owner = lane.reference.stays.get(message.from)?.account ?? '';
    const account = what % 4 === 0 ? pick(lane.accounts, who) : owner;
    const caller = observerOf(lane, account ?? owner);
    return () => act(lane, plan.attempts, 'delete_message', caller, { id: message.id });
  },
} as const satisfies Record<string, Action>;

export type Kind = keyof typeof actions;
const lot = fc.nat({ max: 9_999 });

/**
 * A sequence: rounds one after the other, each a few steps at once, by the weights of their kinds.
 */
export function sequencesOf(
  weights: Readonly<Partial<Record<Kind, number>>>,
): fc.Arbitrary<Step[][]> {
  const kinds: readonly Kind[] = [
    ...(['say', 'reply', 'repeat', 'receive', 'readAnywhere', 'look'] as const),
    ...(['join', 'continue', 'leave', 'rename', 'deleteMessage'] as const),
  ];
  const kind = fc.oneof(
    ...kinds.map((name) => ({ weight: weights[name] ?? 0, arbitrary: fc.constant(name) })),
  );
  const step = fc.record({ kind, who: lot, whom: lot, what: lot });
  const round = fc.array(step, { minLength: 1, maxLength: 4 });
  return fc.array(round, { minLength: 1, maxLength: 3 });
}

/** Turns lots into calls; a step that the room has no use for is left out. */
export function planRound(lane: Lane, steps: readonly Step[], plan: Plan): Work[] {
  return steps.flatMap(({ kind, ...lots }) => {
    const action: Action = actions[kind];
    return action(lane, plan, lots) ?? [];
  });
}
