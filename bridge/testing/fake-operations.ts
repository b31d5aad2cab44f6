// For tests: what the fake Hub's operations do. Those it does not know are `unavailable`.
import { HubError } from '../../protocol/errors.ts';
import { formatRoomCode, resolveReference, slugMemberName } from '../../protocol/ids.ts';
import type { Account } from '../../protocol/nouns.ts';
import type {
  OperationInput,
  OperationName,
  OperationResult,
} from '../../protocol/operations/index.ts';
import type { CallingConversation } from '../../protocol/wire.ts';
import { FakeLogins } from './fake-logins.ts';
import {
  addressOf,
  type FakeMember,
  type FakeMessage,
  type FakeRoom,
  inboxOf,
  makeRoom,
  memberNamed,
  memberView,
  messageView,
  say,
  unreadState,
} from './fake-rooms.ts';

/** Who calls, as far as the headers say it. */
export interface FakeCall {
  token?: string | undefined;
  room?: string | undefined;
  caller?: CallingConversation | undefined;
}

export class FakeState {
  readonly rooms: FakeRoom[] = [];
  readonly logins = new FakeLogins();
  /** Told after each message, and of members that are here no longer. */
  posted: (room: FakeRoom, message: FakeMessage) => void = () => {};
  removed: (member: FakeMember) => void = () => {};

  account({ token }: FakeCall): Account {
    const account = token === undefined ? undefined : this.logins.accounts.get(token);
    if (account === undefined) throw new HubError('not_logged_in', 'no such token');
    return account;
  }

  /** The calling member and its room. */
  member(call: FakeCall): { room: FakeRoom; member: FakeMember } {
    const account = this.account(call);
    const room = this.rooms.find(({ id }) => id === call.room);
    const member = room?.members.find(
      (candidate) =>
        candidate.account.id === account.id &&
        candidate.host === call.caller?.host &&
        candidate.conversation === call.caller.conversation,
    );
    if (room !== undefined && member !== undefined) return { room, member };
    throw new HubError('not_in_room', 'not a member of this room');
  }

  remove(room: FakeRoom, member: FakeMember): void {
    room.members.splice(room.members.indexOf(member), 1);
    this.removed(member);
  }
}

type Handlers = {
  readonly [Name in OperationName]?: (
    state: FakeState,
    call: FakeCall,
    input: OperationInput<Name>,
  ) => OperationResult<Name>;
};

const handlers: Handlers = {
  login_start: ({ logins }) => logins.start(),
  login_status: ({ logins }, _call, { deviceCode }) => logins.status(deviceCode),
  logout(state, call) {
    state.account(call);
    state.logins.accounts.delete(call.token ?? '');
    return {};
  },
  status(state, call) {
    const account = state.account(call);
    return {
      account,
      rooms: state.rooms.map((room) => summary(room, account)),
    };
  },
  new_room(state, call, { id, name, description }) {
    const known = state.rooms.find((room) => room.id === id);
    const room = known ?? makeRoom(state.account(call), { id, name, description });
    if (known === undefined) state.rooms.push(room);
    return { id, name: room.name, code: formatRoomCode(room.code) };
  },
  update_room(state, call, { room: id, name, description }) {
    const account = state.account(call);
    const room = state.rooms.find((candidate) => candidate.id === id);
    if (room?.owner.id !== account.id) throw new HubError('forbidden', 'not your room');
    Object.assign(room, { name: name ?? room.name, description: description ?? room.description });
    return summary(room, account);
  },
  join,
  leave(state, call) {
    const { room, member } = state.member(call);
    state.remove(room, member);
    return { left: addressOf(member) };
  },
  rename(state, call, { name }) {
    const { member } = state.member(call);
    member.name = slugMemberName(name) ?? member.name;
    return { member: addressOf(member) };
  },
  members(state, call) {
    const { room, member } = state.member(call);
    return { members: room.members.map((other) => memberView(room, other, member)) };
  },
  send(state, call, said) {
    const { room, member } = state.member(call);
    const message = say(room, member, said);
    state.posted(room, message);
    const recipients = message.recipients.map((other) => memberView(room, other, member));
    return { id: said.id, seq: message.view.seq, recipients };
  },
  inbox(state, call) {
    const { room, member } = state.member(call);
    return inboxOf(room, member);
  },
  read(state, call, { upTo }) {
    const { room, member } = state.member(call);
    member.readSeq = Math.max(member.readSeq, Math.min(upTo, room.log.length));
    return { readSeq: member.readSeq };
  },
  history(state, call) {
    const { room } = state.member(call);
    return { messages: room.log.map(messageView), nextBefore: null };
  },
};

/** Performs an operation on a parsed input; throws HubError. */
export function perform<Name extends OperationName>(
  name: Name,
  state: FakeState,
  call: FakeCall,
  input: OperationInput<Name>,
): OperationResult<Name> {
  const handler = handlers[name];
  if (handler !== undefined) return handler(state, call, input);
  throw new HubError('unavailable', `the fake Hub has no ${name}`);
}

function summary(room: FakeRoom, account: Account) {
  const { id, name, description, code, owner } = room;
  return owner.id === account.id
    ? { id, name, description, role: 'owner' as const, code: formatRoomCode(code) }
    : { id, name, description, role: 'member' as const };
}

function join(
  state: FakeState,
  call: FakeCall,
  { code, intro, name, as, workspace }: OperationInput<'join'>,
): OperationResult<'join'> {
  const account = state.account(call);
  const room = state.rooms.find((candidate) => candidate.code === code);
  if (room === undefined) throw new HubError('no_such_room', 'no room has this code');
  const { host = 'codex', conversation = '' } = call.caller ?? {};
  const here = room.members.find((member) => member.conversation === conversation);
  const continued =
    as === undefined ? undefined : memberNamed(room, resolveReference(as, account.handle ?? ''));
  const member = here ??
    continued ?? {
      account,
      name: slugMemberName(name ?? '') ?? host,
      host,
      conversation,
      workspace,
      intro,
      joinedAt: Date.now(),
      readSeq: room.log.length,
    };
  if (continued !== undefined) {
    state.removed(continued);
    Object.assign(continued, { host, conversation, workspace, intro });
  } else if (here === undefined) room.members.push(member);
  const own = room.members.filter((other) => other.account.id === account.id && other !== member);
  return {
    room: { id: room.id, name: room.name, description: room.description },
    member: addressOf(member),
    outcome: here !== undefined ? 'reused' : continued !== undefined ? 'continued' : 'joined',
    members: room.members.map((other) => memberView(room, other, member)),
    history: room.log.map(messageView),
    unread: unreadState(room, member)?.unread ?? 0,
    offline: own.map(addressOf),
  };
}
