// Rooms with as many members and as long a history as a measurement wants: written in batches, each
// item as the store's own functions make it.
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { BatchWriteCommand, DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { fullBucket } from '../functions/domain/bucket.ts';
import { putHandle } from '../functions/store/accounts.ts';
import { putEntry, type Tick } from '../functions/store/change-room.ts';
import { contentHash } from '../functions/store/content-hash.ts';
import { bindConversation } from '../functions/store/conversations.ts';
import type { Write } from '../functions/store/expressions.ts';
import { keys } from '../functions/store/keys.ts';
import { putMember } from '../functions/store/members.ts';
import { putMessageOnce } from '../functions/store/messages.ts';
import { putRoom } from '../functions/store/rooms.ts';
import type { Caller, TestHub } from '../functions/testing/test-hub.ts';
import type { HostKind } from '../protocol/nouns.ts';
import { utf8Bytes } from '../protocol/text.ts';
import { prose } from './prose.ts';

export interface RoomShape {
  readonly members: number;
  /** Texts in the history, besides one intro a member. */
  readonly messages: number;
  /** How many of the newest entries nobody has read; none if absent. */
  readonly unread?: number;
}

export type SeededMember = Required<Caller> & { readonly no: number; readonly address: string };

/** Every second member is in a web chat. The first one owns the room. All were active just now. */
export interface SeededRoom {
  readonly id: string;
  readonly code: string;
  readonly members: readonly SeededMember[];
}

type Item = Record<string, unknown>;

/** What is said in a seeded room, every time. */
export const seededText = {
  description: 'Made to measure.',
  intro: prose(300),
  body: prose(200),
} as const;
const stepMs = 1_000;

/** Seeds a room: the members join one after the other, then they write to each other in turns. */
export async function seedRoom(h: TestHub, shape: RoomShape): Promise<SeededRoom> {
  const id = h.newId('r_');
  const code = id.slice(-8).toUpperCase();
  const members = Array.from({ length: shape.members }, (_, index) => seededMember(id, index + 1));
  await writeAll(h, itemsOf(h, { id, code, members }, shape));
  return { id, code, members };
}

function seededMember(room: string, no: number): SeededMember {
  const account = `${room}-${no}`;
  const address = `${handleOf(room, no)}/worker`;
  return { account, room, host: hostOf(no), conversation: `${account}-conversation`, no, address };
}

const hostOf = (no: number): HostKind => (no % 2 === 0 ? 'web' : 'claude');
const handleOf = (room: string, no: number) => `h${room.slice(-10)}_${no}`;

function* itemsOf(h: TestHub, room: SeededRoom, shape: RoomShape): Iterable<Item> {
  const nowMs = h.hub.table.nowMs();
  const last = shape.members + shape.messages;
  const { retentionDays } = h.hub.policy;
  const tickAt = (seq: number): Tick => {
    const atMs = nowMs - (last - seq) * stepMs;
    return { seq, nowMs: atMs, expiresAt: Math.ceil(atMs / 1000) + retentionDays * 86_400 };
  };
  yield* roomItems(h, room, tickAt(last));
  const position = { readSeq: last - (shape.unread ?? 0), lastActiveAt: nowMs };
  for (const member of room.members) yield* memberItems(h, room, member, tickAt, position);
  for (let seq = shape.members + 1; seq <= last; seq += 1) {
    yield* messageItems(h, room, tickAt, seq);
  }
}

function roomItems(h: TestHub, { id, code, members }: SeededRoom, last: Tick): Item[] {
  const { retentionDays } = h.hub.policy;
  const owner = members[0]?.account ?? '';
  const made = {
    id,
    name: 'seeded',
    description: seededText.description,
    owner,
    code,
    retentionDays,
    nowMs: last.nowMs,
  };
  const moved = {
    tick: last.seq,
    rosterTick: members.length,
    memberCount: members.length,
    presentCount: members.length,
    lastExpiresAt: last.expiresAt,
  };
  return putRoom(made).map((write) => ({
    ...itemOf(write),
    ...(write.name === 'clock' && moved),
  }));
}

function memberItems(
  h: TestHub,
  { id, members }: SeededRoom,
  { account, host, conversation, no }: SeededMember,
  tickAt: (seq: number) => Tick,
  position: { readonly readSeq: number; readonly lastActiveAt: number },
): Item[] {
  const tick = tickAt(no);
  const handle = handleOf(id, no);
  const { intro } = seededText;
  const member = {
    account,
    handle,
    name: 'worker',
    host,
    conversation,
    repo: '',
    branch: '',
    intro,
  };
  const said = { from: no, to: [], toRoom: false, dm: false, body: intro };
  const present = new Set([no]);
  return [
    ...putHandle(account, handle, tick.nowMs).map(itemOf),
    ...putMember(id, member, fullBucket(h.hub.policy.bucket, position.lastActiveAt), tick).map(
      (write) => ({
        ...itemOf(write),
        ...(write.name === 'cursor' && position),
      }),
    ),
    itemOf(
      bindConversation({ account, host, conversation }, undefined, { room: id, no, epoch: 0 }),
    ),
    {
      ...keys.accountRoom(account, id),
      ...(account === members[0]?.account && { isOwner: true }),
      present,
      stays: present,
    },
    ...entryItems(h, id, 'intro', said, tick, tickAt(no - 1)),
  ];
}

/** Everybody writes to the next one in turn; every tenth message is to the room. */
export function addressingOf(seq: number, members: number) {
  const from = 1 + (seq % members);
  const toRoom = seq % 10 === 0;
  return { from, toRoom, to: toRoom ? [] : [1 + (from % members)] };
}

function messageItems(
  h: TestHub,
  { id, members }: SeededRoom,
  tickAt: (seq: number) => Tick,
  seq: number,
): Item[] {
  const said = { ...addressingOf(seq, members.length), dm: false, body: seededText.body };
  return entryItems(h, id, 'text', said, tickAt(seq), tickAt(seq - 1));
}

interface Said {
  readonly from: number;
  readonly to: readonly number[];
  readonly toRoom: boolean;
  readonly dm: boolean;
  readonly body: string;
}

function entryItems(
  h: TestHub,
  room: string,
  kind: 'text' | 'intro',
  said: Said,
  tick: Tick,
  before: Tick,
): Item[] {
  const id = h.newId('m_');
  const { from, to, toRoom, dm, body } = said;
  const hash = contentHash({ to, body, dm, replyTo: undefined, meta: undefined });
  const entry = {
    ...{ kind, id, from, fromHost: hostOf(from), bytes: utf8Bytes(body), to },
    ...(toRoom && { toRoom }),
  };
  return [
    itemOf(putEntry(room, entry, tick, tick.seq === 1 ? 0 : before.expiresAt)),
    itemOf(putMessageOnce({ id, room, hash, ...said }, tick)),
  ];
}

function itemOf(write: Write): Item {
  const item = write.member('').Put?.Item;
  if (item === undefined) throw new Error(`${write.name} puts no item`);
  return item;
}

const batchItems = 25;
const lanes = 8;

/** Straight into the engine: nothing of it is in the ledger. */
async function writeAll({ hub, db }: TestHub, items: Iterable<Item>): Promise<void> {
  const engine = new DynamoDBClient({
    endpoint: db.engineEndpoint,
    region: 'eu-central-1',
    credentials: { accessKeyId: 'seed', secretAccessKey: 'any' },
  });
  const client = DynamoDBDocumentClient.from(engine);
  const batches = inBatches(items);
  const lane = async () => {
    for (const batch of batches) {
      const requests = batch.map((Item) => ({ PutRequest: { Item } }));
      await client.send(new BatchWriteCommand({ RequestItems: { [hub.table.name]: requests } }));
    }
  };
  await Promise.all(Array.from({ length: lanes }, lane));
  engine.destroy();
}

function* inBatches(items: Iterable<Item>): Generator<Item[]> {
  let batch: Item[] = [];
  for (const item of items) {
    batch.push(item);
    if (batch.length < batchItems) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
