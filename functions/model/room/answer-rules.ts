// What callers were told against what happened: violations, each under the name of its property.
import type { OperationName } from '../../../protocol/operations/index.ts';
import { nameIn } from '../../store/keys.ts';
import type { Item } from '../dynamodb/expressions.ts';
import { isPush, rooms } from './fixture.ts';
import { nameOf, type Observation, type Observer } from './observations.ts';
import {
  type History,
  never,
  type RoomState,
  receivers,
  roomOf,
  type Said,
  type Stay,
} from './replay.ts';

/** All there is to judge by, once everything has been read. */
export interface Outcome {
  readonly history: History;
  readonly observer: Observer;
  readonly nowMs: number;
  readonly faults: readonly string[];
  /** What the table holds in the end. */
  readonly items: readonly Item[];
  /** Rooms that were purged. */
  readonly purged: ReadonlySet<string>;
}

type Check = (outcome: Outcome) => readonly string[];

/** Stays that a caller's conversation backed at some moment that the call may have seen. */
function staysOf(
  history: History,
  { caller, room, sawAtLeast, sawAtMost }: Observation<OperationName>,
): Stay[] {
  const by = nameOf(caller);
  return [...roomOf(history, room ?? '').stays.values()].filter(({ tenures }) =>
    tenures.some(
      (tenure) => tenure.by === by && tenure.from < sawAtMost && tenure.until >= sawAtLeast,
    ),
  );
}

function saidIn(room: RoomState, id: string): Said | undefined {
  return [...room.said.values()].find(({ entry }) => entry.id === id);
}

const isExpiredAt = ({ entry }: Said, ms: number) => entry.expiresAt * 1000 <= ms;

/** A send that succeeded stands in the log: by its sender, to whom it named, with its body. */
const acknowledged: Check = ({ history, observer }) =>
  observer.seen.send.flatMap((send) => {
    const { room = '', input, result } = send;
    if (result === undefined) return [];
    const said = roomOf(history, room).said.get(result.seq);
    const { entry } = said ?? {};
    const what = `${input.id}, acknowledged as tick ${result.seq},`;
    if (said === undefined || entry?.id !== input.id) return [`${what} is not in the log`];
    if (!staysOf(history, send).some(({ no }) => no === entry.from)) {
      return [`${what} was said by another member, ${entry.from}`];
    }
    if (history.bodies.get(input.id) !== input.body) return [`${what} has another body`];
    const attempts = observer.seen.send.filter((other) => other.input.id === input.id);
    const original = saidIn(roomOf(history, room), input.replyTo ?? '');
    const beganMs = Math.min(...attempts.map((attempt) => attempt.beganMs));
    if (original && isExpiredAt(original, beganMs)) return [`${what} answers what had expired`];
    const sawAtLeast = Math.min(...attempts.map((attempt) => attempt.sawAtLeast));
    const faults = recipientsAsAsked(roomOf(history, room), said, { input, sawAtLeast });
    return faults.map((fault) => `${what} ${fault}`);
  });

/**
 * Each address leads to whom it named at some moment of the call: of a leave or a rename that is
 * only half visible, a sender may see the clock and yet the address as it was.
 */
function recipientsAsAsked(
  { namings }: RoomState,
  { entry, commit }: Said,
  { input: { to }, sawAtLeast }: Pick<Observation<'send'>, 'input' | 'sawAtLeast'>,
): string[] {
  if (to === '@room') return entry.toRoom ? [] : ['does not go to the room'];
  const meant = to.map((address) =>
    namings
      .filter((naming) => naming.address === address)
      .filter(({ from, until }) => from < commit && until >= Math.min(sawAtLeast, commit))
      .map(({ no }) => no),
  );
  const numbers = new Set([...entry.to, entry.from]);
  const isMet = meant.every((candidates) => candidates.some((no) => numbers.has(no)));
  const isAsked = entry.to.every(
    (no) => to.length === 0 || meant.some((each) => each.includes(no)),
  );
  return isMet && isAsked ? [] : [`goes to ${entry.to.join()}, asked for was ${to.join()}`];
}

interface Delivery {
  readonly stay: Stay;
  readonly said: Said;
  readonly isPull: boolean;
}

/** What inboxes showed, and what was wrong with it by itself. */
function deliveries({ history, observer }: Outcome): { made: Delivery[]; strange: string[] } {
  const made: Delivery[] = [];
  const strange: string[] = [];
  for (const inbox of observer.seen.inbox) {
    const room = roomOf(history, inbox.room ?? '');
    const own = staysOf(history, inbox);
    for (const message of inbox.result?.messages ?? []) {
      const said = saidIn(room, message.id);
      const stay = said && own.find(({ no }) => receivers(room, said).includes(no));
      const who = `${nameOf(inbox.caller)} was shown ${message.id}`;
      if (said === undefined || stay === undefined) strange.push(`${who}, which is not for it`);
      else made.push({ stay, said, isPull: !isPush({ host: inbox.caller.host ?? 'web' }) });
      if (message.body !== history.bodies.get(message.id)) strange.push(`${who} with another body`);
      if (message.deletedAt !== undefined) strange.push(`${who}, a tombstone`);
      if (said && isExpiredAt(said, inbox.beganMs)) strange.push(`${who}, which had expired`);
    }
  }
  return { made, strange };
}

const shownInInbox: Check = (outcome) => deliveries(outcome).strange;

/** Histories show what the stays that looked may read, as it was said. */
const shownInHistory: Check = ({ history, observer }) =>
  [...observer.seen.history, ...observer.seen.join].flatMap((look) => {
    const pages = look.operation === 'history' ? look.result?.messages : historyOfJoin(look);
    const id = look.room ?? roomOfJoin(look);
    const room = roomOf(history, id);
    const own = new Set(staysOf(history, { ...look, room: id }).map(({ no }) => no));
    return (pages ?? []).flatMap((message) => {
      const said = saidIn(room, message.id);
      const who = `${nameOf(look.caller)} read ${message.id}`;
      if (said === undefined) return [`${who}, which was never said here`];
      const { entry } = said;
      const isOwn = own.has(entry.from) || entry.to.some((no) => own.has(no));
      const body = message.deletedAt === undefined ? history.bodies.get(message.id) : '';
      return [
        ...(entry.dm && !isOwn ? [`${who}, a dm of others`] : []),
        ...(isExpiredAt(said, look.beganMs) ? [`${who}, which had expired`] : []),
        ...(message.body !== body ? [`${who} with another body`] : []),
      ];
    });
  });

type Join = Observation<'join'> | Observation<'history'>;
const historyOfJoin = ({ result }: Join) => (result && 'history' in result ? result.history : []);
const roomOfJoin = ({ result }: Join) => (result && 'room' in result ? result.room.id : '');

/** Mail of members that are still here was handed over, except what was deleted or has expired. */
const delivered: Check = (outcome) => {
  const { history, observer, nowMs } = outcome;
  const got = new Set(deliveries(outcome).made.map(({ stay, said }) => keyOf(stay, said)));
  const unsure = new Set(
    observer.seen.inbox
      .filter(({ code }) => code === 'unavailable')
      .flatMap((inbox) => staysOf(history, inbox)),
  );
  return [...history.rooms.values()].flatMap((room) =>
    [...room.said.values()].flatMap((said) => {
      const { id, kind, seq } = said.entry;
      if (kind !== 'text' || id === undefined) return [];
      if (history.deleted.has(id) || isExpiredAt(said, nowMs)) return [];
      return receivers(room, said).flatMap((no) => {
        const stay = room.stays.get(no);
        const isHere = stay?.tenures.at(-1)?.until === never;
        if (stay === undefined || !isHere || unsure.has(stay)) return [];
        return got.has(keyOf(stay, said)) ? [] : [`${id}, tick ${seq}, never reached member ${no}`];
      });
    }),
  );
};

/** A pull member gets each message once. */
const once: Check = (outcome) => {
  const seen = new Set<string>();
  return deliveries(outcome)
    .made.filter(({ isPull }) => isPull)
    .flatMap(({ stay, said }) => {
      const key = keyOf(stay, said);
      if (seen.has(key)) return [`${said.entry.id} reached member ${stay.no} twice`];
      seen.add(key);
      return [];
    });
};

const keyOf = ({ room, no }: Stay, { entry }: Said) => `${room} ${no} ${entry.seq}`;

const memberOperations: ReadonlySet<OperationName> = new Set([
  'send',
  'inbox',
  'read',
  'history',
  'members',
  'rename',
  'delete_message',
]);

/** Nothing succeeds for a conversation that is in the room no longer, or not yet. */
const onlyMembers: Check = ({ history, observer }) =>
  observer.all.flatMap((call) => {
    const isAsMember =
      memberOperations.has(call.operation) && call.caller.conversation !== undefined;
    if (!isAsMember || call.result === undefined) return [];
    const isIn = staysOf(history, call).length > 0;
    return isIn ? [] : [`${nameOf(call.caller)} succeeded with ${call.operation} from outside`];
  });

/** A member that is here is not told that it is not; neither is who has just joined. */
const noFalseRefusal: Check = ({ history, observer }) =>
  observer.all.flatMap(({ operation, caller, room, input, code, sawAtLeast, sawAtMost }) => {
    const isJoin = operation === 'join';
    if (code !== 'not_in_room' || !(isJoin || memberOperations.has(operation))) return [];
    const by = nameOf(caller);
    const where = room ?? ('room' in input ? String(input.room) : rooms.x);
    const before = isJoin ? sawAtMost : sawAtLeast;
    const wasHere = [...roomOf(history, where).stays.values()].some(({ tenures }) =>
      tenures.some(
        (tenure) => tenure.by === by && tenure.from < before && tenure.until >= sawAtMost,
      ),
    );
    return wasHere ? [`${by} was told by ${operation} that it is not in the room`] : [];
  });

/**
 * Of a purged room nothing is left but its tombstones. Outside its partition, what lost its way to
 * the room by expiry goes by expiry as well.
 */
const erased: Check = ({ items, purged }) =>
  items.flatMap(({ pk, sk, room, expiresAt }) => {
    const own = [nameIn(String(pk)), nameIn(String(sk)), room].find((name) =>
      purged.has(String(name)),
    );
    if (own === undefined) return [];
    const isInside = String(pk) === `ROOM#${own}`;
    const isFine = isInside ? sk === 'META' || sk === 'CLOCK' : expiresAt !== undefined;
    return isFine ? [] : [`${pk} ${sk} is left of a purged room`];
  });

/** No fault but answers that never came; `unavailable` only then, or when time ran out. */
const noFaults: Check = ({ faults, observer }) => {
  const hasty = observer.all.filter(
    ({ code, tookMs }) => code === 'unavailable' && tookMs < patienceMs,
  );
  return [
    ...faults.filter((fault) => fault !== 'TimeoutError').map((fault) => `there was a ${fault}`),
    ...hasty.slice(faults.length).map(({ operation }) => `${operation} gave up too soon`),
  ];
};
/** An operation tries for ten seconds, less what one attempt may take. */
const patienceMs = 9_000;

export const answerRules: Readonly<Record<string, Check>> = {
  erased,
  acknowledged,
  'nothing strange in an inbox': shownInInbox,
  'nothing strange in a history': shownInHistory,
  'nothing lost': delivered,
  'nothing doubled': once,
  'only members': onlyMembers,
  'no false refusal': noFalseRefusal,
  'no fault': noFaults,
};
