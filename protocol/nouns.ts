// What results show: members, messages, rooms and their states (protocol, sections 1 and 2,
// "Views"). Times are milliseconds since 1970, positions are sequence numbers of the room.
import * as z from 'zod';
import { Address, MessageId, RoomId } from './ids.ts';
import { limits } from './limits.ts';
import { singleLineText } from './text.ts';

/** The last instant that ECMAScript can name. */
const lastTimeMs = 8.64e15;

/** Milliseconds since 1970. */
export const TimeMs = z.int().nonnegative().max(lastTimeMs);
export type TimeMs = z.infer<typeof TimeMs>;

/** A message's place in its room, from 1; 0 stands for "before all messages". */
export const Position = z.int().nonnegative();
export type Position = z.infer<typeof Position>;

export const Tier = z.enum(['push', 'pull']);
export type Tier = z.infer<typeof Tier>;

export const hostKinds = [
  'claude',
  'codex',
  'grok',
  'kimi',
  'pi',
  'opencode',
  'dsh',
  'claude-web',
  'chatgpt-web',
  'web',
  'website',
] as const;

export const HostKind = z.enum(hostKinds);
export type HostKind = z.infer<typeof HostKind>;

/** Push hosts have a link and can be told of mail; pull hosts look for it themselves. */
export const tierOf: Readonly<Record<HostKind, Tier>> = {
  claude: 'push',
  codex: 'push',
  grok: 'push',
  kimi: 'push',
  pi: 'push',
  opencode: 'push',
  dsh: 'push',
  'claude-web': 'pull',
  'chatgpt-web': 'pull',
  web: 'pull',
  website: 'pull',
};

/** Where a conversation works; empty where the host has no repository. */
export const Workspace = z.object({
  repo: singleLineText(0, limits.workspaceFieldCharacters),
  branch: singleLineText(0, limits.workspaceFieldCharacters),
});
export type Workspace = z.infer<typeof Workspace>;

/** `handle` is null until the account has claimed one. */
export const Account = z.object({ id: z.string(), handle: z.string().nullable() });
export type Account = z.infer<typeof Account>;

export const Presence = z.object({
  state: z.enum(['online', 'offline']),
  tier: Tier,
  /** Whether a notice can start a turn there now. */
  wakeable: z.boolean(),
  busy: z.boolean().optional(),
  lastActiveAt: TimeMs,
});
export type Presence = z.infer<typeof Presence>;

export const RecipientView = Presence.extend({ address: Address });
export type RecipientView = z.infer<typeof RecipientView>;

export const MemberView = RecipientView.extend({
  host: HostKind,
  workspace: Workspace,
  intro: z.string(),
  joinedAt: TimeMs,
  /** How many messages of the caller this member has not read. */
  unreadFromMe: z.int().nonnegative(),
  me: z.boolean(),
  /** For observers only: the member is of the caller's account. */
  owned: z.boolean().optional(),
});
export type MemberView = z.infer<typeof MemberView>;

export const Visibility = z.enum(['room', 'dm']);
export type Visibility = z.infer<typeof Visibility>;

/** Up to 8 routing hints of a sender; never shown to agents. */
export const Meta = z.record(z.string(), z.string());
export type Meta = z.infer<typeof Meta>;

export const MessageView = z.object({
  id: MessageId,
  seq: Position,
  from: Address,
  /** The sender's host when it was sent. */
  fromHost: HostKind,
  visibility: Visibility,
  /** Every recipient, also when the message went to `@room`. */
  to: z.array(Address),
  toRoom: z.boolean(),
  replyTo: MessageId.optional(),
  kind: z.enum(['text', 'intro']),
  /** Empty once deleted. */
  body: z.string(),
  meta: Meta.optional(),
  createdAt: TimeMs,
  deletedAt: TimeMs.optional(),
});
export type MessageView = z.infer<typeof MessageView>;

/** By precedence: an answer counts more than reading, reading more than having left. */
export const RecipientState = z.enum(['replied', 'read', 'left', 'unread']);
export type RecipientState = z.infer<typeof RecipientState>;

/** A message in history; the last two only for observers. */
export const HistoryMessage = MessageView.extend({
  owned: z.boolean().optional(),
  recipients: z.array(z.object({ address: Address, state: RecipientState })).optional(),
});
export type HistoryMessage = z.infer<typeof HistoryMessage>;

/** Room messages alone, or alone what those members sent and received; absent: both. */
export const HistoryView = z.enum(['room', 'correspondence']);
export type HistoryView = z.infer<typeof HistoryView>;

/** What waits for a member: one shape for the notify frame and `inbox.remaining`. */
export const Unread = z.object({
  unread: z.int().nonnegative(),
  /** Highest unread position. */
  upTo: Position,
  /** Senders in the order of their first unread message. */
  from: z.array(Address),
});
export type Unread = z.infer<typeof Unread>;

export const RoomSummary = z.object({
  id: RoomId,
  name: z.string(),
  description: z.string(),
  role: z.enum(['owner', 'member']),
  /** As shown, `XXXX-XXXX`; for the owner only. */
  code: z.string().optional(),
});
export type RoomSummary = z.infer<typeof RoomSummary>;

export const DeviceView = z.object({
  id: z.string(),
  label: z.string(),
  createdAt: TimeMs,
  expiresAt: TimeMs,
  /** The device of the credential that asked. */
  current: z.boolean(),
});
export type DeviceView = z.infer<typeof DeviceView>;
