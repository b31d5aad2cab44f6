// Brings the reference up to the log after a round: every entry must be what somebody asked for, by
// whom it says, to whom that meant.
import type { LogEntry, LogKind, Member } from '../../domain/room.ts';
import type { Attempt, Attempts } from './attempts.ts';
import type { Lane } from './lane.ts';
import { addressOf, type Message, presentIn, type Stay } from './reference.ts';
import type { Truth } from './truth.ts';
import { mustBe, violate } from './violation.ts';

/** What a round left behind, and who bore which name, spoke from where, at any moment of it. */
export interface Round {
  readonly lane: Lane;
  readonly attempts: Attempts;
  readonly truth: Truth;
  readonly changesRoster: boolean;
  /** Numbers of stays by address, and by conversation. */
  readonly bearers: Map<string, Set<number>>;
  readonly seats: Map<string, Set<number>>;
  /** Present at its beginning. */
  readonly before: ReadonlySet<number>;
}

/** Notes who is there, under which name and from which conversation, before a round begins. */
export function beginRound(lane: Lane, plan: Pick<Round, 'attempts' | 'changesRoster'>) {
  const present = presentIn(lane.reference);
  const before = new Set(present.map(({ no }) => no));
  const round = { lane, ...plan, before, bearers: new Map(), seats: new Map() };
  for (const stay of present) note(round, stay);
  return round;
}

function note({ bearers, seats }: Pick<Round, 'bearers' | 'seats'>, stay: Stay): void {
  add(bearers, addressOf(stay), stay.no);
  add(seats, stay.conversation, stay.no);
}

function add(map: Map<string, Set<number>>, key: string, no: number): void {
  map.set(key, (map.get(key) ?? new Set()).add(no));
}

/** Whether the attempt was made by the conversation that backs this stay now. */
const isBy = ({ caller }: Pick<Attempt<'send'>, 'caller'>, { conversation }: Stay) =>
  caller.conversation === conversation;

type Apply = (round: Round, entry: LogEntry) => void;

function stayIn({ lane }: Round, no: number, what: string): Stay {
  const stay = lane.reference.stays.get(no);
  if (stay === undefined || stay.leftAt !== undefined) {
    return violate('authority', `${what} is of ${no}, who is not in the room`);
  }
  return stay;
}

function rowOf({ truth }: Round, no: number): Member {
  return truth.members.get(no) ?? violate('roster', `there is no member ${no}`);
}

const apply: Readonly<Record<LogKind, Apply>> = {
  text(round, entry) {
    const from = stayIn(round, entry.from, `message ${entry.id}`);
    const sent = round.attempts.send.find((send) => send.input.id === entry.id && isBy(send, from));
    if (sent === undefined) {
      return violate('authority', `nobody sent ${entry.id} as ${addressOf(from)}`);
    }
    const { reference } = round.lane;
    const original = reference.messages.find(({ id }) => id === sent.input.replyTo);
    const to = receivers(round, entry);
    mustBe('visibility', `dm of ${entry.id}`, entry.dm, original?.dm ?? sent.input.dm === true);
    mustBe('attested', `fromHost of ${entry.id}`, entry.fromHost, from.host);
    recipientsMustBeAsked(round, entry, sent.input.to, original);
    reference.messages.push({
      ...{ id: sent.input.id, seq: entry.seq, kind: 'text', from: from.no, fromHost: from.host },
      ...{ to, toRoom: entry.toRoom, dm: entry.dm, body: sent.input.body, isDeleted: false },
      replyTo: sent.input.replyTo ?? undefined,
    });
  },
  intro(round, { seq, id = '', from, to }) {
    mustBe('roster', `the intro at ${seq}`, [from, to], [seq, []]);
    const { account, conversation, host, name, intro } = rowOf(round, seq);
    const joined = round.attempts.join.find(
      ({ caller, input }) =>
        caller.account === account &&
        caller.conversation === conversation &&
        !input.as &&
        input.intro === intro,
    );
    if (joined === undefined) return violate('roster', `nobody joined from ${conversation}`);
    const { reference } = round.lane;
    const others = presentIn(reference);
    if (others.some((stay) => stay.conversation === conversation)) {
      violate('one room', `${conversation} is a second member`);
    }
    const stay = { no: seq, account, conversation, host, name, intro, position: seq };
    if (others.some((other) => addressOf(other) === addressOf({ ...stay, leftAt: undefined }))) {
      violate('roster', `${name} is taken`);
    }
    const proposed: string = joined.input.name ?? host;
    if (!new RegExp(`^${proposed}(-[0-9]+)?$`).test(name)) {
      violate('roster', `${name} was never proposed`);
    }
    reference.stays.set(seq, { ...stay, leftAt: undefined });
    note(round, { ...stay, leftAt: undefined });
    reference.messages.push({
      ...{ id, seq, kind: 'intro', from: seq, fromHost: host, to: [], toRoom: false, dm: false },
      ...{ body: intro, replyTo: undefined, isDeleted: false },
    });
  },
  leave(round, { seq, from }) {
    const stay = stayIn(round, from, `the leave at ${seq}`);
    const asked = round.attempts.leave.some(({ caller, input }) =>
      !input.member
        ? caller.conversation === stay.conversation
        : round.bearers.get(input.member)?.has(from),
    );
    if (!asked) violate('authority', `nobody asked ${addressOf(stay)} to leave`);
    stay.leftAt = seq;
  },
  rename(round, { seq, from }) {
    const stay = stayIn(round, from, `the rename at ${seq}`);
    const { name } = rowOf(round, from);
    if (!round.attempts.rename.some(({ input }) => input.name === name)) {
      violate('authority', `nobody asked for the name ${name}`);
    }
    stay.name = name;
    note(round, stay);
    const bearers = presentIn(round.lane.reference).filter(
      (other) => addressOf(other) === addressOf(stay),
    );
    mustBe('roster', `bearers of ${addressOf(stay)}`, bearers.length, 1);
  },
  continuation(round, { seq, from }) {
    const stay = stayIn(round, from, `the continuation at ${seq}`);
    const { conversation, host, intro } = rowOf(round, from);
    const isAsked = round.attempts.join.some(
      ({ caller, input }) =>
        caller.conversation === conversation && input.as && input.intro === intro,
    );
    if (!isAsked) violate('authority', `nobody continued ${addressOf(stay)}`);
    Object.assign(stay, { conversation, host, intro });
    note(round, stay);
  },
  deletion(round, { seq }) {
    if (round.attempts.delete_message.length === 0) {
      violate('authority', `nobody deleted anything at ${seq}`);
    }
  },
};

/** Numbers a message goes to: those named, or everybody present but its sender. */
function receivers({ lane }: Round, { from, to, toRoom }: LogEntry): number[] {
  if (!toRoom) return [...to];
  return presentIn(lane.reference)
    .map(({ no }) => no)
    .filter((no) => no !== from);
}

/**
 * Recipients are those asked for, as they were called at some moment of the round: a leave or a
 * rename of the same round may come before or after.
 */
function recipientsMustBeAsked(
  { lane, before, bearers }: Round,
  { id, from, to, toRoom }: LogEntry,
  asked: '@room' | readonly string[],
  original: Message | undefined,
): void {
  mustBe('recipients', `toRoom of ${id}`, toRoom, asked === '@room');
  if (asked === '@room') return;
  const here = new Set([...before, ...presentIn(lane.reference).map(({ no }) => no)]);
  const meant =
    asked.length > 0
      ? asked.map((address) => bearers.get(address) ?? new Set<number>())
      : [original?.from ?? from, ...(original?.dm ? original.to : [])].map((no) => new Set([no]));
  for (const no of to) {
    const isMeant = meant.some((numbers) => numbers.has(no)) && here.has(no) && no !== from;
    if (!isMeant) violate('recipients', `${id} goes to ${no}`);
  }
  for (const numbers of meant) {
    const isOut = [...numbers].every((no) => no === from || isGone(no));
    const isMet = [...numbers].some((no) => to.includes(no));
    if (!isMet && !isOut) violate('recipients', `${id} does not go to ${[...numbers].join()}`);
  }
  function isGone(no: number): boolean {
    return lane.reference.stays.get(no)?.leftAt !== undefined;
  }
}

/** Applies every new entry of the log, in its order. */
export function settleLog(round: Round): void {
  const { reference } = round.lane;
  for (const entry of round.truth.entries) {
    mustBe('dense log', 'the next tick', entry.seq, reference.tick + 1);
    apply[entry.kind](round, entry);
    reference.tick = entry.seq;
  }
  for (const { input, result } of round.attempts.delete_message) {
    const message = reference.messages.find(({ id }) => id === input.id);
    if (result !== undefined && message !== undefined) deleteMessage(round, message);
  }
}

/** An intro that is deleted leaves its member, unless the member has another one by now. */
function deleteMessage({ lane }: Round, message: Message): void {
  message.isDeleted = true;
  const sender = lane.reference.stays.get(message.from);
  if (message.kind === 'intro' && sender?.intro === message.body) sender.intro = '';
}
