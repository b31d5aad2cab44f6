// What anybody is shown of a room at rest, against the reference: members and how much of mine they
// have not read, inboxes, histories of every kind, and what a repeated join tells.
import { type HistoryView, tierOf } from '../../../protocol/nouns.ts';
import type { Caller } from '../../testing/test-hub.ts';
import { attempt } from './attempts.ts';
import { type Conversation, type Lane, observerOf, pick } from './lane.ts';
import {
  addressOf,
  correspondenceOf,
  type Message,
  presentIn,
  type Stay,
  stateOf,
  stayOf,
  staysOfAccount,
  unreadFrom,
  unreadOf,
  visibleTo,
} from './reference.ts';
import { readTruth } from './truth.ts';
import { mustBe, violate } from './violation.ts';

const batchMessages = 20;
const pageMessages = 30;

type Viewer = { readonly caller: Caller; readonly eyes: ReadonlySet<number>; readonly no?: number };
type View = (lane: Lane, viewer: Viewer, lot: number) => Promise<void>;

/** Bodies shrink a page only beyond 64 KiB, which no page of this model reaches. */
async function seen<Name extends 'members' | 'history' | 'inbox' | 'join'>(
  lane: Lane,
  operation: Name,
  caller: Caller,
  input: Parameters<typeof attempt<Name>>[3],
) {
  const { result, code } = await attempt<Name>(lane.hub, operation, caller, input, lane.calls);
  return result ?? violate('refusals', `${operation} was refused with ${code}`);
}

const members: View = async (lane, { caller, eyes, no }) => {
  const { reference } = lane;
  const shown = await seen(lane, 'members', caller, {});
  const expected = presentIn(reference).map((stay) => ({
    ...{ address: addressOf(stay), host: stay.host, intro: stay.intro, me: stay.no === no },
    unreadFromMe: unreadFrom(reference, stay, eyes),
    ...(no === undefined && { owned: eyes.has(stay.no) }),
  }));
  const actual = shown.members.map(({ address, host, intro, me, unreadFromMe, owned }) => ({
    ...{ address, host, intro, me, unreadFromMe },
    ...(owned !== undefined && { owned }),
  }));
  mustBe('counts', `members as ${caller.account} sees them`, actual, expected);
};

const addressesOf = ({ reference }: Lane, numbers: readonly number[]) =>
  numbers.flatMap((no) => {
    const stay = reference.stays.get(no);
    return stay === undefined ? [] : [addressOf(stay)];
  });

/** A message as it must be shown; recipients have no order of their own. */
function shownAs(lane: Lane, message: Message) {
  const { id, seq, kind, fromHost, toRoom, dm, replyTo, isDeleted, body } = message;
  return {
    ...{ id, seq, kind, fromHost, toRoom, visibility: dm ? 'dm' : 'room' },
    from: addressesOf(lane, [message.from])[0],
    to: addressesOf(lane, message.to).toSorted(),
    ...(replyTo !== undefined && { replyTo }),
    body: isDeleted ? '' : body,
    isDeleted,
  };
}

type Shown = Awaited<ReturnType<typeof seen<'history'>>>['messages'][number];

function asShown({ createdAt: _, meta: __, owned: ___, recipients, ...message }: Shown) {
  const { deletedAt, ...rest } = message;
  return { ...rest, to: rest.to.toSorted(), isDeleted: deletedAt !== undefined };
}

const inOneOrder = (message: object) => Object.fromEntries(Object.entries(message).toSorted());

/** Pages back through all of a history that the model still has. */
const history: View = async (lane, { caller, eyes, no }, lot) => {
  const { reference } = lane;
  const view = pick<HistoryView | undefined>([undefined, 'room', 'correspondence'], lot);
  const all = {
    room: () => visibleTo(reference, new Set()),
    correspondence: () => correspondenceOf(reference, eyes),
    everything: () => visibleTo(reference, eyes),
  }[view ?? 'everything']();
  let rest = all;
  let before: number | undefined;
  for (let page = 0; page < 2; page += 1) {
    const shown = await seen(lane, 'history', caller, {
      ...(view && { view }),
      ...(before && { before }),
    });
    const expected = rest.slice(-pageMessages);
    mustBe(
      'history',
      `history of ${caller.account} (${view})`,
      shown.messages.map((message) => inOneOrder(asShown(message))),
      expected.map((message) => inOneOrder(shownAs(lane, message))),
    );
    if (no === undefined) checkStates(lane, eyes, shown.messages, expected);
    rest = rest.slice(0, -pageMessages);
    before = shown.nextBefore ?? undefined;
    mustBe('history', 'nextBefore', before ?? null, rest.length === 0 ? null : expected[0]?.seq);
    if (before === undefined) return;
  }
};

/** States of recipients, which observers see; those that storage has forgotten are not shown. */
function checkStates(
  lane: Lane,
  eyes: ReadonlySet<number>,
  shown: readonly Shown[],
  expected: readonly Message[],
): void {
  for (const [index, message] of expected.entries()) {
    const { recipients = [], owned } = shown[index] ?? {};
    const states = message.to.flatMap((no) => {
      const stay = lane.reference.stays.get(no);
      if (stay === undefined) return [];
      return [`${addressOf(stay)} ${stateOf(lane.reference, message, stay)}`];
    });
    const actual = recipients.map(({ address, state }) => `${address} ${state}`);
    mustBe('states', `recipients of ${message.id}`, actual.toSorted(), states.toSorted());
    mustBe('states', `owned of ${message.id}`, owned, eyes.has(message.from));
  }
}

/** The whole of a mailbox: a batch and what remains; it hands over to a pull member for good. */
async function inbox(lane: Lane, stay: Stay, caller: Conversation): Promise<void> {
  const { reference } = lane;
  const all = unreadOf(reference, stay);
  const [batch, rest] = [all.slice(0, batchMessages), all.slice(batchMessages)];
  const { result } = await attempt(lane.hub, 'inbox', caller, {}, lane.calls);
  const isPull = tierOf[caller.host] === 'pull';
  if (result === undefined && isPull) {
    // Without an answer it may have been consumed all the same: the table knows.
    const { cursors } = await readTruth(lane.hub.hub.table, lane.room, lane.reference.tick);
    stay.position = cursors.get(stay.no)?.readSeq ?? stay.position;
    return;
  }
  const got = result ?? violate('refusals', 'an inbox was refused');
  mustBe(
    'lost',
    `inbox of ${addressOf(stay)}`,
    got.messages.map((message) => inOneOrder(asShown(message))),
    batch.map((message) => inOneOrder(shownAs(lane, message))),
  );
  const senders = [...new Set(rest.map(({ from }) => from))];
  const remaining =
    rest.length === 0
      ? null
      : { unread: rest.length, upTo: rest.at(-1)?.seq, from: addressesOf(lane, senders) };
  mustBe('counts', `remaining of ${addressOf(stay)}`, got.remaining, remaining);
  mustBe('counts', `upTo of ${addressOf(stay)}`, got.upTo, batch.at(-1)?.seq ?? 0);
  if (!isPull) return;
  const had = lane.delivered.get(stay.no) ?? new Set();
  for (const { id } of batch) {
    if (had.has(id)) violate('doubled', `${id} reached ${stay.no} twice`);
    had.add(id);
  }
  lane.delivered.set(stay.no, had);
  stay.position = Math.max(stay.position, got.upTo);
}

async function joinAgain(lane: Lane, stay: Stay, caller: Conversation): Promise<void> {
  const isSite = caller.host === 'website';
  const shown = await seen(lane, 'join', caller, {
    ...(isSite ? { room: lane.room } : { code: lane.code }),
    ...{ intro: 'Once more.', workspace: { repo: '', branch: '' } },
  });
  mustBe(
    'counts',
    `a repeated join of ${addressOf(stay)}`,
    [shown.outcome, shown.member, shown.unread],
    ['reused', addressOf(stay), unreadOf(lane.reference, stay).length],
  );
}

/** Looks at a room at rest in one or two ways, by lot. */
export async function lookAtRest(lane: Lane, lot: number): Promise<void> {
  const stay = pick(presentIn(lane.reference), lot);
  const caller = lane.conversations.find(({ conversation }) => conversation === stay?.conversation);
  if (stay === undefined || caller === undefined) return;
  const own = new Set(staysOfAccount(lane.reference, stay.account).map(({ no }) => no));
  const viewer: Viewer =
    lot % 2 === 0
      ? { caller, eyes: new Set([stay.no]), no: stay.no }
      : { caller: observerOf(lane, stay.account), eyes: own };
  const looks = [
    () => members(lane, viewer, lot),
    () => history(lane, viewer, lot >> 3),
    () => inbox(lane, stay, caller),
    () => joinAgain(lane, stay, caller),
  ];
  await pick(looks, lot >> 5)?.();
}

/** Looks at everything, as everybody. */
export async function lookAtAll(lane: Lane): Promise<void> {
  for (const caller of lane.conversations) {
    const stay = stayOf(lane.reference, caller.conversation);
    if (stay === undefined) continue;
    const member = { caller, eyes: new Set([stay.no]), no: stay.no };
    const own = new Set(staysOfAccount(lane.reference, stay.account).map(({ no }) => no));
    const observer = { caller: observerOf(lane, stay.account), eyes: own };
    for (const viewer of [member, observer]) {
      await members(lane, viewer, 0);
      for (const view of [0, 1, 2]) await history(lane, viewer, view);
    }
    await joinAgain(lane, stay, caller);
    await inbox(lane, stay, caller);
  }
}

/** Ends the room: nobody is in it any more, its code opens nothing, its ID makes no other. */
export async function closeLane({ hub, room, code, accounts, conversations, calls }: Lane) {
  const owner = { account: accounts[0] ?? '' };
  const remove = () => attempt(hub, 'delete_room', owner, { room }, calls);
  mustBe('tombstones', 'delete_room', [(await remove()).result, (await remove()).result], [{}, {}]);
  for (const caller of conversations) {
    const { code: refusal } = await attempt(hub, 'inbox', caller, {}, calls);
    mustBe('tombstones', `inbox of ${caller.conversation}`, refusal, 'not_in_room');
  }
  const [agent] = conversations;
  if (agent === undefined) return;
  const entry = { code, intro: 'Hello?', workspace: { repo: '', branch: '' } };
  const joined = await attempt(hub, 'join', agent, entry, calls);
  mustBe('tombstones', 'a join by its code', joined.code, 'no_such_room');
  const again = { id: room, name: 'Again', description: '' };
  const made = await attempt(hub, 'new_room', owner, again, calls);
  mustBe('tombstones', 'a room of its ID', made.code, 'invalid_input');
}
