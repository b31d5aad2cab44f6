// For tests: accounts, rooms, members and messages in memory, enough of a Hub to exchange mail.
import { HubError } from '../../protocol/errors.ts';
import { formatAddress, mintId, mintRoomCode } from '../../protocol/ids.ts';
import { limits } from '../../protocol/limits.ts';
import {
  type Account,
  type HostKind,
  type MemberView,
  type MessageView,
  tierOf,
  type Unread,
  type Workspace,
} from '../../protocol/nouns.ts';
import type { OperationResult } from '../../protocol/operations/index.ts';
import { systemRandom } from '../random.ts';

export interface FakeMember {
  account: Account;
  name: string;
  host: HostKind;
  conversation: string;
  workspace: Workspace;
  intro: string;
  joinedAt: number;
  readSeq: number;
  /** What its link last reported; undefined without a link. */
  wakeable?: boolean | undefined;
}

export interface FakeMessage {
  sender: FakeMember;
  recipients: FakeMember[];
  view: Omit<MessageView, 'from' | 'to'>;
}

export interface FakeRoom {
  id: string;
  name: string;
  description: string;
  code: string;
  owner: Account;
  members: FakeMember[];
  log: FakeMessage[];
}

export const newId = (prefix: 'r_' | 'm_') => mintId(prefix, Date.now(), systemRandom.bytes(10));

export function makeRoom(owner: Account, given: Partial<FakeRoom> = {}): FakeRoom {
  return {
    id: newId('r_'),
    name: 'Hub',
    description: 'Moving the Hub.',
    code: mintRoomCode(systemRandom.bytes(5)),
    owner,
    members: [],
    log: [],
    ...given,
  };
}

export const addressOf = ({ account, name }: FakeMember) =>
  formatAddress({ handle: account.handle ?? 'nobody', name });

export function memberNamed(room: FakeRoom, address: string): FakeMember {
  const found = room.members.find((member) => addressOf(member) === address);
  if (found !== undefined) return found;
  throw new HubError('no_such_member', `there is no ${address}`, {
    members: room.members.map((member) => memberView(room, member)),
  });
}

export function memberView(room: FakeRoom, member: FakeMember, reader?: FakeMember): MemberView {
  const { host, workspace, intro, joinedAt, wakeable = false } = member;
  const unreadFromMe = unreadOf(room, member).filter(({ sender }) => sender === reader);
  return {
    address: addressOf(member),
    state: wakeable ? 'online' : 'offline',
    tier: tierOf[host],
    wakeable,
    lastActiveAt: joinedAt,
    host,
    workspace,
    intro,
    joinedAt,
    unreadFromMe: unreadFromMe.length,
    me: member === reader,
  };
}

export function messageView({ sender, recipients, view }: FakeMessage): MessageView {
  return { ...view, from: addressOf(sender), to: recipients.map(addressOf) };
}

export interface Said {
  id?: string;
  to: '@room' | string[];
  body: string;
  dm?: boolean | undefined;
  replyTo?: string | undefined;
}

/** Appends a message; one with a known ID is the message that is there. */
export function say(room: FakeRoom, sender: FakeMember, said: Said): FakeMessage {
  const known = room.log.find(({ view }) => view.id === said.id);
  if (known !== undefined) return known;
  const { id = newId('m_'), to, body, dm = false, replyTo } = said;
  const others = room.members.filter((member) => member !== sender);
  const message: FakeMessage = {
    sender,
    recipients: to === '@room' ? others : to.map((address) => memberNamed(room, address)),
    view: {
      id,
      seq: room.log.length + 1,
      fromHost: sender.host,
      visibility: dm ? 'dm' : 'room',
      toRoom: to === '@room',
      kind: 'text',
      body,
      createdAt: Date.now(),
      ...(replyTo !== undefined && { replyTo }),
    },
  };
  room.log.push(message);
  return message;
}

const unreadOf = (room: FakeRoom, member: FakeMember) =>
  room.log.filter(
    ({ recipients, view }) => recipients.includes(member) && view.seq > member.readSeq,
  );

/** Null if nothing is unread after that position, which is the member's unless given. */
export function unreadState(
  room: FakeRoom,
  member: FakeMember,
  after = member.readSeq,
): Unread | null {
  const unread = unreadOf(room, member).filter(({ view }) => view.seq > after);
  const newest = unread.at(-1);
  if (newest === undefined) return null;
  const from = [...new Set(unread.map(({ sender }) => addressOf(sender)))];
  return { unread: unread.length, upTo: newest.view.seq, from };
}

export function inboxOf(room: FakeRoom, member: FakeMember): OperationResult<'inbox'> {
  const batch = unreadOf(room, member).slice(0, limits.inboxBatchMessages);
  const upTo = batch.at(-1)?.view.seq ?? 0;
  return {
    messages: batch.map(messageView),
    upTo,
    remaining: upTo === 0 ? null : unreadState(room, member, upTo),
  };
}
