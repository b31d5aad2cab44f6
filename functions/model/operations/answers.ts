// What the calls of a round were told, against the reference after it.
import type { ErrorCode } from '../../../protocol/errors.ts';
import { tierOf } from '../../../protocol/nouns.ts';
import type { Caller } from '../../testing/test-hub.ts';
import type { Attempt } from './attempts.ts';
import { addressOf, type Message, presentIn, type Stay, staysOfAccount } from './reference.ts';
import type { Round } from './settle.ts';
import { mustBe, violate } from './violation.ts';

const messageOf = ({ lane }: Round, id: string): Message =>
  lane.reference.messages.find((message) => message.id === id) ??
  violate('stranger', `${id} was never said`);

/** Stays a call may have been made as. */
function staysOfCaller({ lane, seats }: Round, { caller }: { readonly caller: Caller }): Stay[] {
  if (caller.conversation === undefined) return staysOfAccount(lane.reference, caller.account);
  return [...(seats.get(caller.conversation) ?? [])].flatMap(
    (no) => lane.reference.stays.get(no) ?? [],
  );
}

/** A success stands in the log; a refusal has a reason in the room as it was. */
function checkSends(round: Round): void {
  for (const send of round.attempts.send) {
    const { input, result, code } = send;
    if (result === undefined) {
      mustBe('refusals', `send of ${input.id} to ${input.to}`, code, refusalOf(round, send));
      continue;
    }
    const message = messageOf(round, input.id);
    mustBe('acknowledged', `seq of ${input.id}`, result.seq, message.seq);
    mustBe('acknowledged', `body of ${input.id}`, input.body, message.body);
    if (!staysOfCaller(round, send).some(({ no }) => no === message.from)) {
      violate('acknowledged', `${input.id} was said by another`);
    }
    const named = result.recipients.map(({ address }) => address);
    const isSame = message.to.every((no) =>
      namesOf(round, no).some((name) => named.includes(name)),
    );
    if (!isSame || named.length !== message.to.length) {
      violate('recipients', `${input.id} is told to go to ${named}, goes to ${message.to}`);
    }
    const known = round.lane.sends.some((former) => former.input.id === input.id);
    if (!known) round.lane.sends.push(send);
  }
}

function namesOf({ bearers, lane }: Round, no: number): string[] {
  const borne = [...bearers].filter(([, numbers]) => numbers.has(no)).map(([name]) => name);
  const stay = lane.reference.stays.get(no);
  return stay === undefined ? borne : [...borne, addressOf(stay)];
}

/** The code a send is refused with; while the roster changes, any that a change can bring. */
function refusalOf(round: Round, { caller, input, code }: Attempt<'send'>): string | undefined {
  if (round.changesRoster) {
    const changing = ['not_in_room', 'no_such_member', 'invalid_input', 'no_such_message'];
    return changing.find((possible) => possible === code) ?? 'a code of a changed roster';
  }
  const { reference } = round.lane;
  const own = presentIn(reference).find((stay) => stay.conversation === caller.conversation);
  if (own === undefined) return 'not_in_room';
  const isKnown = reference.messages.some(
    ({ id, seq }) => id === input.id && seq <= reference.tick,
  );
  if (isKnown) return 'invalid_input';
  const present = new Set(presentIn(reference).map(addressOf));
  if (input.to !== '@room' && input.to.some((address) => !present.has(address))) {
    return 'no_such_member';
  }
  const original = reference.messages.find(({ id }) => id === input.replyTo);
  if (input.replyTo !== undefined) {
    const isHidden = original?.dm && original.from !== own.no && !original.to.includes(own.no);
    if (original === undefined || isHidden) return 'no_such_message';
  }
  return (original?.dm ?? input.dm) ? 'invalid_input' : undefined;
}

/** Mail goes to whom it is for, with its body, in order, and to a pull member once. */
function checkInboxes(round: Round): void {
  const { delivered } = round.lane;
  for (const inbox of round.attempts.inbox) {
    const own = staysOfCaller(round, inbox);
    let last = 0;
    for (const { id, seq, body, deletedAt } of inbox.result?.messages ?? []) {
      const message = messageOf(round, id);
      const stay = own.find(({ no }) => message.to.includes(no));
      if (stay === undefined) throw violate('stranger', `${id} is no mail of ${own[0]?.no}`);
      mustBe('inbox', `${id}`, [seq, body, deletedAt ?? null], [message.seq, message.body, null]);
      if (seq <= last) violate('inbox', `${id} comes out of order`);
      last = seq;
      if (tierOf[inbox.caller.host ?? 'web'] === 'push') continue;
      const had = delivered.get(stay.no) ?? new Set();
      if (had.has(id)) violate('doubled', `${id} reached ${stay.no} twice`);
      delivered.set(stay.no, had.add(id));
      stay.position = Math.max(stay.position, seq);
    }
  }
}

function checkReads(round: Round): void {
  for (const read of round.attempts.read) {
    const { input, result } = read;
    if (result === undefined) continue;
    const wanted = Math.min(input.upTo, round.lane.reference.tick);
    if (result.readSeq < wanted) violate('positions', `${result.readSeq} after read ${wanted}`);
    const stays = staysOfCaller(round, read);
    const isThere = ({ no }: Stay) => (round.truth.cursors.get(no)?.readSeq ?? 0) >= result.readSeq;
    if (!stays.some(isThere)) violate('positions', `nobody stands at ${result.readSeq}`);
    for (const stay of stays) {
      // Of two stays of one conversation in one round, the table knows which it was.
      const { readSeq } = round.truth.cursors.get(stay.no) ?? { readSeq: 0 };
      stay.position = Math.max(stay.position, Math.min(result.readSeq, readSeq));
    }
  }
}

/** Positions in the table are those that calls were told of, or of a call that got no answer. */
function checkPositions(round: Round): void {
  const { reference, delivered } = round.lane;
  const unsure = new Set(
    [...round.attempts.inbox, ...round.attempts.read]
      .filter(({ result }) => result === undefined)
      .flatMap((call) => staysOfCaller(round, call).map(({ no }) => no)),
  );
  for (const stay of reference.stays.values()) {
    const { readSeq } = round.truth.cursors.get(stay.no) ?? { readSeq: stay.position };
    if (readSeq < stay.position) violate('positions', `${stay.no} went back to ${readSeq}`);
    const passed = reference.messages.filter(
      ({ kind, to, seq, isDeleted }) =>
        kind === 'text' && to.includes(stay.no) && seq <= readSeq && !isDeleted,
    );
    const isPull = tierOf[stay.host] === 'pull';
    const missed = passed.filter(
      ({ id, seq }) => seq > stay.position && !delivered.get(stay.no)?.has(id),
    );
    if (missed.length > 0 && !unsure.has(stay.no) && isPull) {
      violate('lost', `${missed.map(({ id }) => id)} never reached ${stay.no}`);
    }
    if (readSeq > stay.position && !unsure.has(stay.no) && missed.length > 0) {
      violate('positions', `${stay.no} moved to ${readSeq} by itself`);
    }
    stay.position = readSeq;
  }
}

/** Nobody sees a dm of others, whatever happens beside. */
function checkLooks(round: Round): void {
  for (const look of round.attempts.history) {
    const eyes = new Set(staysOfCaller(round, look).map(({ no }) => no));
    for (const { id, body } of look.result?.messages ?? []) {
      const { dm, from, to, ...message } = messageOf(round, id);
      const isOwn = eyes.has(from) || to.some((no) => eyes.has(no));
      if (dm && !isOwn) violate('stranger', `a dm of others, ${id}, is in a history`);
      if (body !== '' || !message.isDeleted) mustBe('history', id, body, message.body);
    }
  }
}

/** A refusal is one that a room can give to such a call. */
function codesMustBe(
  operation: string,
  attempts: readonly { readonly code?: ErrorCode }[],
  ...allowed: readonly ErrorCode[]
): void {
  for (const { code } of attempts) {
    if (code !== undefined && !allowed.includes(code)) {
      violate('refusals', `${operation} was refused with ${code}`);
    }
  }
}

/** Where nobody comes, goes or moves, a deletion is refused for one reason only. */
function checkRefusals(round: Round): void {
  const { attempts } = round;
  const members = ['no_such_member', 'not_in_room'] as const;
  codesMustBe('join', attempts.join, ...members, 'already_in_room');
  codesMustBe('leave', attempts.leave, ...members);
  codesMustBe('rename', attempts.rename, ...members, 'name_taken');
  const messages = ['no_such_message', 'forbidden'] as const;
  codesMustBe('delete_message', attempts.delete_message, ...messages, 'not_in_room');
  if (round.changesRoster) return;
  for (const { input, caller, code } of attempts.delete_message) {
    const message = messageOf(round, input.id);
    const sender = round.lane.reference.stays.get(message.from);
    const eyes = new Set(staysOfAccount(round.lane.reference, caller.account).map(({ no }) => no));
    const isHidden =
      message.dm && !eyes.has(message.from) && !message.to.some((no) => eyes.has(no));
    const isOwn = sender?.account === caller.account;
    const expected = isHidden ? 'no_such_message' : isOwn ? undefined : 'forbidden';
    const isObserver =
      caller.account === round.lane.accounts[0] ||
      presentIn(round.lane.reference).some(({ account }) => account === caller.account);
    mustBe('refusals', `delete_message ${input.id}`, code, isObserver ? expected : 'forbidden');
  }
}

export function checkAnswers(round: Round): void {
  checkSends(round);
  checkInboxes(round);
  checkReads(round);
  checkPositions(round);
  checkLooks(round);
  checkRefusals(round);
}
