// Shapes of the items, parsed when read: what does not parse is a fault, never a guess.
import * as z from 'zod';
import { hostKinds } from '../../protocol/nouns.ts';
import type { Clock, Cursor, Link, LogEntry, Member, MessageBody } from '../domain/room.ts';
import { logKinds } from '../domain/room.ts';
import { unpackBody } from './body-codec.ts';
import { nameIn, numberIn } from './keys.ts';

// Made once: every schema costs a function that starts time.
const number = z.number();
const maybeNumber = number.optional();
const text = z.string();
const maybeText = text.optional();
const numbers = z
  .set(number)
  .optional()
  .transform((set) => [...(set ?? [])].sort((a, b) => a - b));
const flag = z.boolean().optional().transform(Boolean);
const host = z.enum(hostKinds);
const epoch = number.default(0);

const ClockItem = z.object({
  tick: number,
  rosterTick: number,
  memberCount: number,
  presentCount: number,
  lastExpiresAt: number,
  retentionDays: number,
  deletedAt: maybeNumber,
});

const MetaItem = z.object({
  name: text.default(''),
  description: text.default(''),
  owner: text,
  code: text.default(''),
  createdAt: number,
  deletedAt: maybeNumber,
});
/** Name, description, owner and code of a room; only `owner` outlives its deletion. */
export type RoomMeta = z.output<typeof MetaItem>;

const MemberItem = z.object({
  sk: text,
  account: text,
  handle: text,
  name: text,
  host,
  conversation: text,
  repo: text,
  branch: text,
  intro: text,
  joinedAt: number,
  leftTick: maybeNumber,
});

const CursorItem = z.object({
  sk: text,
  readSeq: number,
  epoch,
  lastActiveAt: number,
  tokens: number,
  bucketAt: number,
  hasLeft: flag,
});

const LinkItem = z.object({
  sk: text,
  connection: text,
  connectedAt: number,
  seenAt: number,
  wakeable: z.boolean(),
  busy: z.boolean().optional(),
  epoch,
});

const LogItem = z.object({
  sk: text,
  kind: z.enum(logKinds),
  id: maybeText,
  from: number,
  to: numbers,
  toRoom: flag,
  dm: flag,
  replyTo: maybeText,
  fromHost: host.optional(),
  bytes: number.default(0),
  createdAt: number,
  expiresAt: number,
  prevExpiresAt: number,
  deletedAt: maybeNumber,
});

/** A body outlives its header by this, so that a live header without a body is never expiry. */
export const guardGraceS = 86_400;

const BodyItem = z.object({
  pk: text,
  room: text,
  seq: number,
  from: number,
  to: numbers,
  toRoom: flag,
  dm: flag,
  hash: z.instanceof(Uint8Array),
  body: maybeText,
  meta: z.record(text, text).optional(),
  packed: z.instanceof(Uint8Array).optional(),
  expiresAt: number,
  deletedAt: maybeNumber,
});

const ConversationItem = z.object({
  room: maybeText,
  no: maybeNumber,
  epoch,
  lastRoom: maybeText,
  lastNo: maybeNumber,
  leftAt: maybeNumber,
});
/** Which room a conversation is in, as which member; or, for a while, which it left. */
export type ConversationRow = z.output<typeof ConversationItem>;

const AccountRoomItem = z.object({
  sk: text,
  isOwner: flag,
  present: numbers,
  stays: numbers,
});
/** One account's part in one room: ownership, members present, and all stays it ever had there. */
export type AccountRoom = { readonly room: string } & Omit<z.output<typeof AccountRoomItem>, 'sk'>;

const ProfileItem = z.object({ handle: text, ownedRooms: number.default(0) });
export type Profile = z.output<typeof ProfileItem>;

const ConnectionItem = z.object({
  pk: text,
  room: text,
  no: number,
  epoch,
  account: text,
  device: text,
  connectedAt: number,
});
/** One socket: whose it is, and with which credential it was opened. */
export type Connection = { readonly id: string } & Omit<z.output<typeof ConnectionItem>, 'pk'>;

const DeviceLinkItem = z.object({ connection: text });

const TokenItem = z.object({
  kind: z.enum(['device', 'connector']),
  audience: text,
  account: text,
  device: text,
  host: host.optional(),
  expiresAt: number,
  sealed: z.instanceof(Uint8Array).optional(),
});
/** A token of the Hub's own: what it is, where it may be used, whose it is. */
export type OwnToken = z.output<typeof TokenItem>;

const DeviceItem = z.object({
  sk: text,
  label: text,
  tokenHash: text,
  createdAt: number,
  expiresAt: number,
});
/** A machine that was signed in; `tokenHash` finds its token, `expiresAt` is epoch seconds. */
export type Device = { readonly id: string } & Omit<z.output<typeof DeviceItem>, 'sk'>;

const LoginItem = z.object({
  state: z.enum(['pending', 'approved', 'denied']),
  label: text.default(''),
  salt: z.instanceof(Uint8Array),
  createdAt: number,
  expiresAt: number,
  account: maybeText,
  device: maybeText,
  isIssued: flag,
});
/** A device login under way; `account` and `device` are there once it is approved. */
export type Login = z.output<typeof LoginItem>;

const AuthRecordItem = z.object({
  sealed: z.instanceof(Uint8Array).optional(),
  login: maybeText,
  consumedAt: maybeNumber,
  expiresAt: maybeNumber,
});
/** What the authorization server remembers of one secret, sealed; times are epoch seconds. */
export type AuthRecord = z.output<typeof AuthRecordItem>;

const ClientDocumentItem = z.object({
  body: maybeText,
  fetchedAt: number,
  freshUntil: number,
});
/** A client's metadata document, without `body` if none could be had; times are in ms. */
export type ClientDocument = z.output<typeof ClientDocumentItem>;

const AddressItem = z.object({ no: number });
const SiteItem = z.object({ no: number, epoch });
const CodeItem = z.object({ room: text });
const AttemptsItem = z.object({ count: number, windowStart: number });
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
