// What a conversation is told of its mail, and when: the states, as a pure machine (protocol,
// section 5, "Wake machine"). It knows no clock and no host; `runner.ts` brings both.
import type { Position, Unread } from '../../protocol/nouns.ts';
import { notice } from '../../protocol/render/notice.ts';

/** Where in a turn a host takes text of ours: it begins, a tool has run, it is about to end. */
export type Boundary = 'prompt' | 'tool' | 'end';

/** A notice that may be given, and the unread state it announces. */
export interface DueNotice {
  readonly key: string;
  readonly text: string;
}

export interface WakeState {
  /** Highest position handed over to the conversation. */
  readonly consumed: Position;
  /** Newest unread state seen. */
  readonly pending?: Unread | undefined;
  /** The unread state that was last announced, by whichever way. */
  readonly announced?: { readonly upTo: Position; readonly consumed: Position };
  /**
   * The notice that is not consumed yet: queued in the host, or shown in the turn that runs. It is
   * consumed by reading the inbox, or when the turn that carried it has ended.
   */
  readonly outstanding?: 'queued' | 'shown' | undefined;
  /** What the inbox result named as remaining: until the turn ends, the agent knows of it. */
  readonly remaining?: Position | undefined;
  /** While an inbox call runs: the highest position that was pending when it began. */
  readonly reading?: Position | undefined;
  /** A call of the shell's `wake` that has not answered; `isVoid`: the inbox was read meanwhile. */
  readonly waking?: (DueNotice & { readonly isVoid: boolean }) | undefined;
  /** The unread state for which starting a turn failed for good, and why. */
  readonly failed?: { readonly key: string; readonly reason: string } | undefined;
}

export const initialWakeState: WakeState = { consumed: 0 };

/** A batch that now stands in a tool result; `upTo` 0 if the inbox was empty. */
export interface Batch {
  upTo: Position;
  messages: number;
  remaining: Unread | null;
}

/** What happens to a conversation, and what comes with it. */
export interface WakeEvents {
  /** The Hub says what is unread. */
  notified: Unread;
  /** A boundary carried the notice of this key. */
  carried: string;
  turnBegan: undefined;
  turnEnded: undefined;
  inboxAsked: undefined;
  /** The call failed, or its result never reached the conversation. */
  inboxDropped: undefined;
  inboxDelivered: Batch;
  wakeCalled: DueNotice;
  /** The host has taken the notice. */
  wakeTaken: undefined;
  wakeRefused: undefined;
  /** All attempts to start a turn have failed. */
  wakeFailed: { key: string; reason: string };
  /** The host's circumstances changed: what failed may work now. */
  hostChanged: undefined;
  /** A queued notice has shown no effect for long. */
  noticeForgotten: undefined;
}

type Transitions = {
  readonly [Name in keyof WakeEvents]: (state: WakeState, event: WakeEvents[Name]) => WakeState;
};

const transitions: Transitions = {
  notified: (state, unread) => ({
    ...state,
    pending: unread.unread === 0 ? undefined : unread,
  }),
  carried: (state, key) => ({ ...state, announced: partsOf(key), outstanding: 'shown' }),
  turnBegan: (state) => ({ ...state, outstanding: state.outstanding && 'shown' }),
  turnEnded: (state) => ({
    ...state,
    outstanding: state.outstanding === 'shown' ? undefined : state.outstanding,
    remaining: undefined,
    reading: undefined,
  }),
  inboxAsked: (state) => ({ ...state, reading: state.pending?.upTo ?? 0 }),
  inboxDropped: (state) => ({ ...state, reading: undefined }),
  inboxDelivered,
  wakeCalled: (state, due) => ({ ...state, waking: { ...due, isVoid: false } }),
  wakeTaken: ({ waking, ...state }) =>
    waking === undefined
      ? state
      : {
          ...state,
          announced: partsOf(waking.key),
          outstanding: waking.isVoid ? undefined : 'queued',
          failed: undefined,
        },
  wakeRefused: (state) => ({ ...state, waking: undefined }),
  wakeFailed: (state, failed) => ({ ...state, failed }),
  hostChanged: (state) => ({ ...state, failed: undefined }),
  noticeForgotten: (state) => ({ ...state, outstanding: undefined }),
};

/** The state after an event. */
export function step<Name extends keyof WakeEvents>(
  state: WakeState,
  name: Name,
  event: WakeEvents[Name],
): WakeState {
  return transitions[name](state, event);
}

/**
 * Voids what was pending when the inbox was asked. What the Hub announced meanwhile and the batch
 * does not reach stays pending; its count may include messages of the batch.
 */
function inboxDelivered(state: WakeState, { upTo, messages, remaining }: Batch): WakeState {
  const { pending, reading = 0, waking } = state;
  const isNewer = pending !== undefined && pending.upTo > Math.max(reading, upTo);
  const newer = isNewer ? { ...pending, unread: Math.max(1, pending.unread - messages) } : null;
  const isRemainingNewest = remaining !== null && remaining.upTo >= (newer?.upTo ?? 0);
  return {
    ...state,
    consumed: Math.max(state.consumed, upTo),
    pending: (isRemainingNewest ? remaining : newer) ?? undefined,
    remaining: remaining?.upTo,
    reading: undefined,
    outstanding: undefined,
    waking: waking && { ...waking, isVoid: true },
    failed: undefined,
  };
}

/** `upTo:consumed`, the name of an unread state; undefined if nothing is unread. */
export function keyOf({ pending, consumed }: WakeState): string | undefined {
  return pending !== undefined && pending.upTo > consumed
    ? `${pending.upTo}:${consumed}`
    : undefined;
}

function partsOf(key: string): { upTo: Position; consumed: Position } {
  const [upTo = 0, consumed = 0] = key.split(':').map(Number);
  return { upTo, consumed };
}

/** The notice of an unread state that no notice has announced yet. */
function unannounced(state: WakeState): DueNotice | undefined {
  const { pending, consumed, announced } = state;
  const key = keyOf(state);
  if (key === undefined || pending === undefined) return undefined;
  const isTold = announced?.consumed === consumed && pending.upTo <= announced.upTo;
  return isTold ? undefined : { key, text: notice(pending) };
}

/** What a boundary of a running turn carries. The end of a turn consumes what it was shown. */
export function noticeAt(state: WakeState, boundary: Boundary): DueNotice | undefined {
  if (state.waking !== undefined) return undefined;
  if (boundary === 'end') return unannounced(state);
  if (state.outstanding !== undefined || state.reading !== undefined) return undefined;
  return state.pending?.upTo === state.remaining ? undefined : unannounced(state);
}

/** What an idle conversation is woken with. */
export function noticeToWake(state: WakeState): DueNotice | undefined {
  const { outstanding, reading, waking, failed } = state;
  if (outstanding !== undefined || reading !== undefined || waking !== undefined) return undefined;
  const due = unannounced(state);
  return due?.key === failed?.key ? undefined : due;
}
