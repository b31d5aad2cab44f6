// The only place that builds a key (docs/data-model.md lists them).
import { createHash } from 'node:crypto';
import { streamedKeys } from './table.ts';

/** Primary key of one item. */
export interface Key {
  readonly pk: string;
  readonly sk: string;
}

/** Ticks are padded so that byte order is number order. */
const tickDigits = 12;
const padded = (tick: number) => String(tick).padStart(tickDigits, '0');
/** Sorts after every key that begins with the prefix it is appended to. */
const afterAll = '~';

const room = (id: string) => `${streamedKeys.roomPartitionPrefix}${id}`;
const account = (sub: string) => `ACCOUNT#${sub}`;
const grant = (hash: string) => `AUTH#Grant#${hash}`;

export const keys = {
  roomMeta: (id: string): Key => ({ pk: room(id), sk: streamedKeys.roomSortKey }),
  clock: (id: string): Key => ({ pk: room(id), sk: 'CLOCK' }),
  member: (id: string, no: number): Key => ({ pk: room(id), sk: `MEMBER#${padded(no)}` }),
  cursor: (id: string, no: number): Key => ({ pk: room(id), sk: `CURSOR#${padded(no)}` }),
  link: (id: string, no: number): Key => ({
    pk: room(id),
    sk: `${streamedKeys.linkSortKeyPrefix}${padded(no)}`,
  }),
  address: (id: string, address: string): Key => ({ pk: room(id), sk: `ADDRESS#${address}` }),
  siteMember: (id: string, sub: string): Key => ({ pk: room(id), sk: `SITE#${sub}` }),
  log: (id: string, seq: number): Key => ({
    pk: room(id),
    sk: `${streamedKeys.logSortKeyPrefix}${padded(seq)}`,
  }),
  reply: (id: string, seq: number, no: number): Key => ({
    pk: room(id),
    sk: `REPLY#${padded(seq)}#${padded(no)}`,
  }),
  message: (id: string): Key => ({ pk: `MESSAGE#${id}`, sk: 'BODY' }),
  profile: (sub: string): Key => ({ pk: account(sub), sk: 'PROFILE' }),
  accountRoom: (sub: string, id: string): Key => ({ pk: account(sub), sk: `ROOM#${id}` }),
  conversation: (sub: string, host: string, conversation: string): Key => ({
    pk: account(sub),
    sk: `CONVERSATION#${host}#${conversation}`,
  }),
  deviceLink: (sub: string, device: string, connection: string): Key => ({
    pk: account(sub),
    sk: `LINK#${device}#${connection}`,
  }),
  connection: (id: string): Key => ({ pk: `CONNECTION#${id}`, sk: 'CONNECTION' }),
  attempts: (sub: string): Key => ({ pk: account(sub), sk: 'ATTEMPTS' }),
  handle: (handle: string): Key => ({ pk: `HANDLE#${handle}`, sk: 'HANDLE' }),
  device: (sub: string, id: string): Key => ({ pk: account(sub), sk: `DEVICE#${id}` }),
  /** `hash` is `secretHash` of the token, as it is wherever a key takes one. */
  token: (hash: string): Key => ({ pk: `TOKEN#${hash}`, sk: 'TOKEN' }),
  endedSession: (hash: string): Key => ({ pk: `TOKEN#${hash}`, sk: 'ENDED' }),
  authRecord: (model: string, hash: string): Key => ({ pk: `AUTH#${model}#${hash}`, sk: 'RECORD' }),
  /** Listed under the grant it came from, so that both end together. */
  grantToken: (grantHash: string, hash: string): Key => ({
    pk: grant(grantHash),
    sk: `TOKEN#${hash}`,
  }),
  /** A code admits to a room, so it is kept as a hash like every other secret that is looked up. */
  code: (code: string): Key => ({ pk: `CODE#${secretHash(code)}`, sk: 'CODE' }),
} as const;

/** Sort-key ranges of the room's item collections; both ends belong to the range. */
export const ranges = {
  log: (from: number, to: number) => ({
    low: `${streamedKeys.logSortKeyPrefix}${padded(from)}`,
    high: `${streamedKeys.logSortKeyPrefix}${padded(to)}`,
  }),
  replies: (from: number, to: number) => ({
    low: `REPLY#${padded(from)}`,
    high: `REPLY#${padded(to)}${afterAll}`,
  }),
  allReplies: { low: 'REPLY#', high: `REPLY#${afterAll}` },
  sites: { low: 'SITE#', high: `SITE#${afterAll}` },
  members: { low: 'MEMBER#', high: `MEMBER#${afterAll}` },
  cursors: { low: 'CURSOR#', high: `CURSOR#${afterAll}` },
  links: {
    low: streamedKeys.linkSortKeyPrefix,
    high: `${streamedKeys.linkSortKeyPrefix}${afterAll}`,
  },
  deviceLinks: (device: string) => ({
    low: `LINK#${device}#`,
    high: `LINK#${device}#${afterAll}`,
  }),
  devices: { low: 'DEVICE#', high: `DEVICE#${afterAll}` },
  grantTokens: { low: 'TOKEN#', high: `TOKEN#${afterAll}` },
  addresses: { low: 'ADDRESS#', high: `ADDRESS#${afterAll}` },
  accountRooms: { low: 'ROOM#', high: `ROOM#${afterAll}` },
} as const;

/** Highest tick a key can hold: the open end of a log range. */
export const lastTick = 10 ** tickDigits - 1;

export const roomPartition = room;
export const accountPartition = account;
export const grantPartition = grant;

/** The room of a partition key, or undefined if the partition is something else. */
export function roomOfPartition(pk: string): string | undefined {
  const prefix = streamedKeys.roomPartitionPrefix;
  return pk.startsWith(prefix) ? pk.slice(prefix.length) : undefined;
}

/** Tick of a log entry's sort key; undefined for other items. */
export function seqOfKey(sk: string): number | undefined {
  return sk.startsWith(streamedKeys.logSortKeyPrefix) ? numberIn(sk) : undefined;
}

/** Member number of a link's sort key; undefined for other items. */
export function linkOfKey(sk: string): number | undefined {
  return sk.startsWith(streamedKeys.linkSortKeyPrefix) ? numberIn(sk) : undefined;
}

/** Number at the end of a sort key such as `MEMBER#000000000012`. */
export function numberIn(sk: string): number {
  return Number(sk.slice(sk.lastIndexOf('#') + 1));
}

/** Seq and member number of a `REPLY#<seq>#<no>` sort key. */
export function replyIn(sk: string): { readonly seq: number; readonly no: number } {
  const [, seq = '', no = ''] = sk.split('#');
  return { seq: Number(seq), no: Number(no) };
}

/** What follows the collection's prefix, for `ADDRESS#<address>` and `ROOM#<room>`. */
export function nameIn(sk: string): string {
  return sk.slice(sk.indexOf('#') + 1);
}

/** What stands in the table for a secret that is looked up: never the secret itself. */
export function secretHash(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}
