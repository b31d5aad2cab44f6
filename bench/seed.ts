// Rooms with as many members and as long a history as a measurement wants: written in batches, each
// item as the store's own functions make it.
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
import { bulkWrite, type Item } from './bulk-write.ts';
import { prose } from './prose.ts';

export interface RoomShape {
  readonly members: number;
  /** Texts in the history, besides one intro a member. */
  readonly messages: number;
  /** How many of the newest entries nobody has read; none if absent. */
  readonly unread?: number;
  /** Of all members; if absent, every second one is in a web chat and the others in a terminal. */
  readonly host?: HostKind;
}

export type SeededMember = Required<Caller> & { readonly no: number; readonly address: string };

/** The first member owns the room. All were active just now. */
export interface SeededRoom {
  readonly id: string;
  readonly code: string;
  readonly members: readonly SeededMember[];
}

/** What is said in a seeded room, every time. */
export const seededText = {
  description: 'Made to measure.',
  intro: prose(300),
  body: prose(200),
} as const;

/** Everybody writes to the next one in turn; every tenth message is to the room. */
export function addressingOf(seq: number, members: number) {
  const from = 1 + (seq % members);
  const toRoom = seq % 10 === 0;
  return { from, toRoom, to: toRoom ? [] : [1 + (from % members)] };
}

/** Seeds a room: the members join one after the other, then they write to each other in turns. */
export async function seedRoom(h: TestHub, shape: RoomShape): Promise<SeededRoom> {
  const id = h.newId('r_');
  const code = id.slice(-8).toUpperCase();
  const members = Array.from({ length: shape.members }, (_, index) => {
    const [no, account] = [index + 1, `${id}-${index + 1}`];
    const host = shape.host ?? (no % 2 === 0 ? 'web' : 'claude');
    const conversation = `${account}-conversation`;
    return { account, room: id, host, conversation, no, address: `${handleOf(id, no)}/worker` };
  });
  const room = { id, code, members };
  await bulkWrite(h, itemsOf(seedingOf(h, room, shape), shape));
  return room;
}

const handleOf = (room: string, no: number) => `h${room.slice(-10)}_${no}`;

/** What all items of one room have in common. */
interface Seeding {
  readonly room: SeededRoom;
  readonly retentionDays: number;
  /** Tick `seq` as it will have been: one a second, the newest one now. */
  readonly tickAt: (seq: number) => Tick;
  readonly newest: Tick;
  readonly newMessageId: () => string;
  readonly readSeq: number;
  readonly nowMs: () => number;
  readonly bucket: ReturnType<typeof fullBucket>;
}

function seedingOf({ hub, newId }: TestHub, room: SeededRoom, shape: RoomShape): Seeding {
  const { retentionDays, bucket } = hub.policy;
  const nowMs = hub.table.nowMs();
  const last = shape.members + shape.messages;
  const tickAt = (seq: number): Tick => {
    const atMs = nowMs - (last - seq) * 1_000;
    return { seq, nowMs: atMs, expiresAt: Math.ceil(atMs / 1000) + retentionDays * 86_400 };
  };
  return {
    room,
    retentionDays,
    tickAt,
    newest: tickAt(last),
    newMessageId: () => newId('m_'),
    readSeq: last - (shape.unread ?? 0),
    nowMs: hub.table.nowMs,
    bucket: fullBucket(bucket, nowMs),
  };
}

function* itemsOf(seeding: Seeding, shape: RoomShape): Iterable<Item> {
  const { room, newest } = seeding;
  for (let seq = shape.members + 1; seq <= newest.seq; seq += 1) {
    const addressing = addressingOf(seq, shape.members);
    yield* entryItems(seeding, seq, { kind: 'text', ...addressing, body: seededText.body });
  }
  // Last, because a long history takes minutes and its members were active just now.
  for (const member of room.members) yield* memberItems(seeding, member);
  yield* roomItems(seeding);
}

function roomItems({ room, retentionDays, newest }: Seeding): Item[] {
  const { id, code, members } = room;
  const { description } = seededText;
  const owner = members[0]?.account ?? '';
  const made = { id, name: 'seeded', description, owner, code, retentionDays };
  const clock = {
    tick: newest.seq,
    rosterTick: members.length,
    memberCount: members.length,
    presentCount: members.length,
    lastExpiresAt: newest.expiresAt,
  };
  return putRoom({ ...made, nowMs: newest.nowMs }).map((write) => ({
    ...itemOf(write),
    ...(write.name === 'clock' && clock),
  }));
}

function memberItems(seeding: Seeding, member: SeededMember): Item[] {
  const { room, tickAt, readSeq, nowMs, bucket } = seeding;
  const { account, host, conversation, no } = member;
  const handle = handleOf(room.id, no);
  const { intro } = seededText;
  const joined = { account, handle, name: 'worker', host, conversation, repo: '', branch: '' };
  const stays = new Set([no]);
  return [
    ...putHandle(account, handle, tickAt(no).nowMs).map(itemOf),
    ...putMember(room.id, { ...joined, intro }, bucket, tickAt(no)).map((write) => ({
      ...itemOf(write),
      ...(write.name === 'cursor' && { readSeq, lastActiveAt: nowMs() }),
    })),
    itemOf(
      bindConversation({ account, host, conversation }, undefined, { room: room.id, no, epoch: 0 }),
    ),
    {
      ...keys.accountRoom(account, room.id),
      ...(no === 1 && { isOwner: true }),
      present: stays,
      stays,
    },
    ...entryItems(seeding, no, { kind: 'intro', from: no, toRoom: false, to: [], body: intro }),
  ];
}

interface Said {
  readonly kind: 'text' | 'intro';
  readonly from: number;
  readonly to: readonly number[];
  readonly toRoom: boolean;
  readonly body: string;
}

function entryItems(seeding: Seeding, seq: number, { kind, body, ...said }: Said): Item[] {
  const { room, tickAt, newMessageId } = seeding;
  const { from, to, toRoom } = said;
  const id = newMessageId();
  const fromHost = room.members[from - 1]?.host ?? 'claude';
  const hash = contentHash({ to, body, dm: false, replyTo: undefined, meta: undefined });
  const entry = { kind, id, from, to, fromHost, bytes: utf8Bytes(body), ...(toRoom && { toRoom }) };
  const before = seq === 1 ? 0 : tickAt(seq - 1).expiresAt;
  return [
    itemOf(putEntry(room.id, entry, tickAt(seq), before)),
    itemOf(putMessageOnce({ id, room: room.id, hash, ...said, dm: false, body }, tickAt(seq))),
  ];
}

function itemOf(write: Write): Item {
  const item = write.member('').Put?.Item;
  if (item === undefined) throw new Error(`${write.name} puts no item`);
  return item;
}
