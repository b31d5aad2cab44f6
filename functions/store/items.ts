// Shapes of the items, parsed when read: what does not parse is a fault, never a guess.
import * as z from 'zod';
import { hostKinds } from '../../protocol/nouns.ts';
import type { Clock, Cursor, Link, LogEntry, Member, MessageBody } from '../domain/room.ts';
import { logKinds } from '../domain/room.ts';
import { unpackBody } from './body-codec.ts';
import { nameIn, numberIn } from './keys.ts';

const numbers = z
  .set(z.number())
  .optional()
  .transform((set) => [...(set ?? [])].sort((a, b) => a - b));
const flag = z.boolean().optional().transform(Boolean);
const host = z.enum(hostKinds);
const epoch = z.number().default(0);

const ClockItem = z.object({
  tick: z.number(),
  rosterTick: z.number(),
  memberCount: z.number(),
  presentCount: z.number(),
  lastExpiresAt: z.number(),
  retentionDays: z.number(),
  deletedAt: z.number().optional(),
});

const MetaItem = z.object({
  name: z.string().default(''),
  description: z.string().default(''),
  owner: z.string(),
  code: z.string().default(''),
  createdAt: z.number(),
  deletedAt: z.number().optional(),
});
/** Name, description, owner and code of a room; only `owner` outlives its deletion. */
export type RoomMeta = z.output<typeof MetaItem>;

const MemberItem = z.object({
  sk: z.string(),
  account: z.string(),
  handle: z.string(),
  name: z.string(),
  host,
  conversation: z.string(),
  repo: z.string(),
  branch: z.string(),
  intro: z.string(),
  joinedAt: z.number(),
  leftTick: z.number().optional(),
});

const CursorItem = z.object({
  sk: z.string(),
  readSeq: z.number(),
  epoch,
  lastActiveAt: z.number(),
  tokens: z.number(),
  bucketAt: z.number(),
  hasLeft: flag,
});

const LinkItem = z.object({
  sk: z.string(),
  connection: z.string(),
  connectedAt: z.number(),
  seenAt: z.number(),
  wakeable: z.boolean(),
  busy: z.boolean().optional(),
  epoch,
});

const LogItem = z.object({
  sk: z.string(),
  kind: z.enum(logKinds),
  id: z.string().optional(),
  from: z.number(),
  to: numbers,
  toRoom: flag,
  dm: flag,
  replyTo: z.string().optional(),
  fromHost: host.optional(),
  bytes: z.number().default(0),
  createdAt: z.number(),
  expiresAt: z.number(),
  prevExpiresAt: z.number(),
  deletedAt: z.number().optional(),
});

/** A body outlives its header by this, so that a live header without a body is never expiry. */
export const guardGraceS = 86_400;

const BodyItem = z.object({
  pk: z.string(),
  room: z.string(),
  seq: z.number(),
  from: z.number(),
  to: numbers,
  toRoom: flag,
  dm: flag,
  hash: z.instanceof(Uint8Array),
  body: z.string().optional(),
  meta: z.record(z.string(), z.string()).optional(),
  packed: z.instanceof(Uint8Array).optional(),
  expiresAt: z.number(),
  deletedAt: z.number().optional(),
});

const ConversationItem = z.object({
  room: z.string().optional(),
  no: z.number().optional(),
  epoch,
  lastRoom: z.string().optional(),
  lastNo: z.number().optional(),
  leftAt: z.number().optional(),
});
/** Which room a conversation is in, as which member; or, for a while, which it left. */
export type ConversationRow = z.output<typeof ConversationItem>;

const AccountRoomItem = z.object({
  sk: z.string(),
  isOwner: flag,
  present: numbers,
  stays: numbers,
});
/** One account's part in one room: ownership, members present, and all stays it ever had there. */
export type AccountRoom = { readonly room: string } & Omit<z.output<typeof AccountRoomItem>, 'sk'>;

const ProfileItem = z.object({ handle: z.string(), ownedRooms: z.number().default(0) });
export type Profile = z.output<typeof ProfileItem>;

const ConnectionItem = z.object({
  pk: z.string(),
  room: z.string(),
  no: z.number(),
  epoch,
  account: z.string(),
  device: z.string(),
  connectedAt: z.number(),
});
/** One socket: whose it is, and with which credential it was opened. */
export type Connection = { readonly id: string } & Omit<z.output<typeof ConnectionItem>, 'pk'>;

const DeviceLinkItem = z.object({ connection: z.string() });

const TokenItem = z.object({
  kind: z.enum(['device', 'connector']),
  audience: z.string(),
  account: z.string(),
  device: z.string(),
  host: host.optional(),
  expiresAt: z.number(),
  sealed: z.instanceof(Uint8Array).optional(),
});
/** A token of the Hub's own: what it is, where it may be used, whose it is. */
export type OwnToken = z.output<typeof TokenItem>;

const DeviceItem = z.object({
  sk: z.string(),
  label: z.string(),
  tokenHash: z.string(),
  createdAt: z.number(),
  expiresAt: z.number(),
});
/** A machine that was signed in; `tokenHash` finds its token, `expiresAt` is epoch seconds. */
export type Device = { readonly id: string } & Omit<z.output<typeof DeviceItem>, 'sk'>;

const LoginItem = z.object({
  state: z.enum(['pending', 'approved', 'denied']),
  label: z.string().default(''),
  salt: z.instanceof(Uint8Array),
  createdAt: z.number(),
  expiresAt: z.number(),
  account: z.string().optional(),
  device: z.string().optional(),
  isIssued: flag,
});
/** A device login under way; `account` and `device` are there once it is approved. */
export type Login = z.output<typeof LoginItem>;

const AuthRecordItem = z.object({
  sealed: z.instanceof(Uint8Array).optional(),
  login: z.string().optional(),
  consumedAt: z.number().optional(),
  expiresAt: z.number().optional(),
});
/** What the authorization server remembers of one secret, sealed; times are epoch seconds. */
export type AuthRecord = z.output<typeof AuthRecordItem>;

const ClientDocumentItem = z.object({
  body: z.string().optional(),
  fetchedAt: z.number(),
  freshUntil: z.number(),
});
/** A client's metadata document, without `body` if none could be had; times are in ms. */
export type ClientDocument = z.output<typeof ClientDocumentItem>;

const AddressItem = z.object({ no: z.number() });
const SiteItem = z.object({ no: z.number(), epoch });
const CodeItem = z.object({ room: z.string() });
const AttemptsItem = z.object({ count: z.number(), windowStart: z.number() });
export type Attempts = z.output<typeof AttemptsItem>;

export const parseClock = (item: unknown): Clock => ClockItem.parse(item);
export const parseMeta = (item: unknown): RoomMeta => MetaItem.parse(item);
export const parseConversation = (item: unknown): ConversationRow => ConversationItem.parse(item);
export const parseProfile = (item: unknown): Profile => ProfileItem.parse(item);
export const parseAddress = (item: unknown) => AddressItem.parse(item);
export const parseDeviceLink = (item: unknown) => DeviceLinkItem.parse(item);
export const parseSite = (item: unknown) => SiteItem.parse(item);
export const parseCode = (item: unknown) => CodeItem.parse(item);
export const parseAttempts = (item: unknown): Attempts => AttemptsItem.parse(item);
export const parseToken = (item: unknown): OwnToken => TokenItem.parse(item);
export const parseLogin = (item: unknown): Login => LoginItem.parse(item);
export const parseClientDocument = (item: unknown): ClientDocument =>
  ClientDocumentItem.parse(item);
export const parseAuthRecord = (item: unknown): AuthRecord => AuthRecordItem.parse(item);

export function parseMember(item: unknown): Member {
  const { sk, ...member } = MemberItem.parse(item);
  return { no: numberIn(sk), ...member };
}

export function parseCursor(item: unknown): Cursor {
  const { sk, tokens, bucketAt, ...cursor } = CursorItem.parse(item);
  return { no: numberIn(sk), ...cursor, bucket: { tokens, at: bucketAt } };
}

export function parseLink(item: unknown): Link {
  const { sk, ...link } = LinkItem.parse(item);
  return { no: numberIn(sk), ...link };
}

export function parseConnection(item: unknown): Connection {
  const { pk, ...connection } = ConnectionItem.parse(item);
  return { id: pk.slice(pk.indexOf('#') + 1), ...connection };
}

export function parseDevice(item: unknown): Device {
  const { sk, ...device } = DeviceItem.parse(item);
  return { id: nameIn(sk), ...device };
}

export function parseLogEntry(item: unknown): LogEntry {
  const { sk, ...entry } = LogItem.parse(item);
  return { seq: numberIn(sk), ...entry };
}

export function parseBody(item: unknown): MessageBody {
  const { pk, hash, body, meta, packed, expiresAt, ...rest } = BodyItem.parse(item);
  return {
    id: pk.slice(pk.indexOf('#') + 1),
    hash: Buffer.from(hash).toString('hex'),
    ...rest,
    expiresAt: expiresAt - guardGraceS,
    ...unpackBody({ body, meta, packed }),
  };
}

export function parseAccountRoom(item: unknown): AccountRoom {
  const { sk, ...row } = AccountRoomItem.parse(item);
  return { room: sk.slice(sk.indexOf('#') + 1), ...row };
}
