// What operations cost in units: each measured alone through the proxy's ledger, in one room.
import { keys } from '../functions/store/keys.ts';
import { getCursor } from '../functions/store/positions.ts';
import type { TestHub } from '../functions/testing/test-hub.ts';
import type { LedgerEntry } from '../local/dynamodb/index.ts';
import { limits } from '../protocol/limits.ts';
import type { MessageView } from '../protocol/nouns.ts';
import type { OperationRequest } from '../protocol/operations/index.ts';
import { budgets, plus, type Units } from './budgets.ts';
import { bytesOf } from './item-bytes.ts';
import { noise, prose } from './prose.ts';
import type { SeededMember, SeededRoom } from './seed.ts';

/** One operation's cost. */
export interface Measured {
  readonly used: Units;
  readonly budget: Units;
  /** Reads for the presence of a send's recipients; they are not part of `used`. */
  readonly presence?: number;
  /** Names of errors in between: none, or it was not alone. */
  readonly errors: readonly string[];
}

type Measure = (h: TestHub, room: SeededRoom) => Promise<Measured>;
type Send = Partial<OperationRequest<'send'>>;

const kb = 1_024;

/**
 * Measured in this order, as each leaves something behind for the next. Needs a policy that allows
 * one more member and does not run out of tokens.
 */
export const measures: Readonly<Record<string, Measure>> = {
  'send 100 B': (h, room) => sendOne(h, room, { body: prose(100) }),
  'send 1 KB of English': (h, room) => sendOne(h, room, { body: prose(kb) }),
  'send 850 B of anything': (h, room) => sendOne(h, room, { body: noise(850) }),
  'send 16 KB of English': (h, room) => sendStored(h, room, prose(16 * kb)),
  'send 64 KiB of English': (h, room) =>
    sendOne(h, room, { body: prose(limits.bodyBytes) }, budgets.sendLongText()),
  'send 100 B to ten': (h, room) => {
    const to = others(room).slice(0, 10);
    return sendOne(h, room, { to, body: prose(100) }, budgets.send({ named: to.length }));
  },
  'send 100 B to the room': (h, room) => sendOne(h, room, { to: '@room', body: prose(100) }),
  'send 100 B privately': (h, room) => sendOne(h, room, { dm: true, body: prose(100) }),
  'reply to 1 KB': (h, room) => reply(h, room, prose(kb)),
  'reply to 64 KiB': (h, room) => reply(h, room, prose(limits.bodyBytes)),
  'inbox, push': (h, room) => inbox(h, room, member(room, 0), 'push'),
  'inbox, pull': (h, room) => inbox(h, room, member(room, 1), 'pull'),
  'inbox, empty': (h, room) => emptyInbox(h, room),
  read: async (h, room) => {
    const { seq } = await say(h, room, {});
    return measured(h, budgets.read(), () => h.call('read', member(room, 0), { upTo: seq }));
  },
  history: async (h, room) => history(h, member(room, 0)),
  members: (h, room) => measured(h, unbounded, () => h.call('members', member(room, 0), {})),
  join,
  'inbox after a minute': async (h, room) => {
    const { seq } = await say(h, room, {});
    const reader = member(room, 0);
    await h.call('read', reader, { upTo: seq });
    h.shiftMs(limits.lastActiveResolutionSeconds * 1_000);
    const seen = await readInbox(h, reader, 'push', seq);
    return { ...seen, budget: plus(seen.budget, budgets.lastActive()) };
  },
};

/** Nothing is promised but that it does not grow with history. */
const unbounded: Units = { writes: 0, reads: Number.POSITIVE_INFINITY };

function member(room: SeededRoom, index: number): SeededMember {
  const found = room.members[index];
  if (found === undefined) throw new RangeError(`no member ${index}`);
  return found;
}

/** Everybody but the second member, who does the talking here. */
const others = (room: SeededRoom) =>
  room.members.filter((_, index) => index !== 1).map(({ address }) => address);

function say(h: TestHub, room: SeededRoom, message: Send) {
  const to = [member(room, 0).address];
  return h.call('send', member(room, 1), {
    ...{ id: h.newId('m_'), to, body: prose(600) },
    ...message,
  });
}

async function measured(
  h: TestHub,
  budget: Units,
  work: () => Promise<unknown>,
): Promise<Measured> {
  const { writes, reads, calls } = await h.db.ledger.measure(work);
  return { used: { writes, reads }, budget, errors: errorsOf(calls) };
}

const errorsOf = (calls: readonly LedgerEntry[]) => calls.flatMap(({ error }) => error ?? []);

/** A send up to its commit; what follows is the recipients' presence. */
async function sendOne(
  h: TestHub,
  room: SeededRoom,
  message: Send,
  budget = budgets.send(),
): Promise<Measured> {
  const { calls } = await h.db.ledger.measure(() => say(h, room, message));
  const commit = calls.findLastIndex(({ operation }) => operation === 'TransactWriteItems') + 1;
  const presence = plus(...calls.slice(commit)).reads;
  return { used: plus(...calls.slice(0, commit)), budget, presence, errors: errorsOf(calls) };
}

/** A send whose budget follows from how large its message turned out to be. */
async function sendStored(h: TestHub, room: SeededRoom, body: string): Promise<Measured> {
  const id = h.newId('m_');
  const sent = await sendOne(h, room, { id, body });
  const storedKb = Math.ceil((await bytesOf(h, [keys.message(id)])) / kb);
  return { ...sent, budget: budgets.send({ storedKb }) };
}

async function reply(h: TestHub, room: SeededRoom, body: string): Promise<Measured> {
  const { id } = await say(h, room, { body });
  const originalBytes = await bytesOf(h, [keys.message(id)]);
  const budget = plus(budgets.send(), budgets.reply({ originalBytes }));
  return sendOne(h, room, { replyTo: id, body: prose(100) }, budget);
}

/** Messages of the batch, and as many again and more in between that are not for the reader. */
const batchMessages = 5;
const onRecordEach = 4;

async function inbox(
  h: TestHub,
  room: SeededRoom,
  reader: SeededMember,
  tier: 'push' | 'pull',
): Promise<Measured> {
  const writer = tier === 'push' ? member(room, 1) : member(room, 0);
  const send = (to: readonly string[]) =>
    h.call('send', writer, { id: h.newId('m_'), to: [...to], body: prose(600) });
  let last = 0;
  for (let message = 0; message < batchMessages; message += 1) {
    for (let other = 0; other < onRecordEach; other += 1) await send([]);
    last = (await send([reader.address])).seq;
  }
  return readInbox(h, reader, tier, last);
}

/** Reads a batch behind which the log ends at `last`. */
export async function readInbox(
  h: TestHub,
  reader: SeededMember,
  tier: 'push' | 'pull',
  last: number,
): Promise<Measured> {
  const cursor = await getCursor(h.hub.table, reader.room, reader.no);
  const headers = last - (cursor?.readSeq ?? 0);
  const { writes, reads, calls, result } = await h.db.ledger.measure(() =>
    h.call('inbox', reader, {}),
  );
  const messages = result.messages.length;
  const named = namedIn(result.messages, result.remaining?.from);
  const budget = budgets.inbox({ tier, messages, headers, named });
  return { used: { writes, reads }, budget, errors: errorsOf(calls) };
}

async function emptyInbox(h: TestHub, room: SeededRoom): Promise<Measured> {
  const reader = member(room, 0);
  const { seq } = await say(h, room, {});
  await h.call('read', reader, { upTo: seq });
  return readInbox(h, reader, 'push', seq);
}

async function history(h: TestHub, reader: SeededMember): Promise<Measured> {
  const { writes, reads, calls, result } = await h.db.ledger.measure(() =>
    h.call('history', reader, {}),
  );
  const named = namedIn(result.messages);
  const headers = 50;
  const budget = budgets.history({ messages: result.messages.length, headers, named });
  return { used: { writes, reads }, budget, errors: errorsOf(calls) };
}

const namedIn = (messages: readonly MessageView[], others: readonly string[] = []) =>
  new Set([...messages.flatMap(({ from, to }) => [from, ...to]), ...others]).size;

async function join(h: TestHub, room: SeededRoom): Promise<Measured> {
  const account = `${room.id}-newcomer`;
  await h.call('claim_handle', { account }, { handle: `n${room.id.slice(-10)}` });
  const caller = { account, host: 'claude', conversation: 'newcomer' } as const;
  const workspace = { repo: 'github.com/example/tools', branch: 'main' };
  return measured(h, budgets.join(), () =>
    h.call('join', caller, { code: room.code, intro: prose(500), workspace }),
  );
}
