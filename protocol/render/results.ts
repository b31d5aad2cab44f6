// Results of operations as an agent reads them. A result states what happened; the standing rules
// are in the tool descriptions (protocol, section 4).
import { formatRoomCode } from '../ids.ts';
import type { MessageView, RoomSummary, Unread } from '../nouns.ts';
import type { OperationResult } from '../operations/index.ts';
import type { OperationTool } from '../tools.ts';
import { element, envelope, foreignTextRuleOf } from './envelope.ts';
import { signedIn } from './login.ts';
import { memberList, reachability } from './members.ts';
import { senders } from './notice.ts';
import { count, inline, quoted } from './plain.ts';

/** What a text needs besides the result; `nonce` is made anew for each result. */
export interface ResultContext {
  nonce: string;
  nowMs: number;
  /** For join: the code it was called with. */
  roomCode?: string;
  /** For join at the remote connector: the handle that every later call gives back. */
  conversation?: string;
  /** For status of a local conversation that is in a room. */
  here?: HereContext;
}

export interface HereContext {
  roomName: string;
  member: string;
  /** Why notices do not reach this conversation now; absent if they do. */
  unreachable?: string;
}

type Renderer<Name extends OperationTool> = (
  result: OperationResult<Name>,
  context: ResultContext,
) => string;

const renderers: { readonly [Name in OperationTool]: Renderer<Name> } = {
  status,
  new_room: newRoom,
  update_room: updateRoom,
  join,
  leave: ({ left }) => `${inline(left)} has left the room.`,
  members: ({ members }, { nonce, nowMs }) =>
    paragraphs(
      `${count(members.length, 'member')} in the room, by join time. ${foreignTextRuleOf(nonce)}`,
      memberList(members, nonce, nowMs),
    ),
  rename: ({ member }) => `This member is now ${inline(member)}.`,
  send,
  inbox,
  history,
};

/** The text of an operation's result. */
export function renderResult<Name extends OperationTool>(
  name: Name,
  result: OperationResult<Name>,
  context: ResultContext,
): string {
  return renderers[name](result, context);
}

function status({ account, rooms }: OperationResult<'status'>, { here }: ResultContext): string {
  return paragraphs(
    signedIn(account),
    here === undefined ? '' : whereabouts(here),
    rooms.length === 0 ? 'No rooms.' : ['Rooms:', ...rooms.map(roomLine)].join('\n'),
  );
}

function whereabouts({ roomName, member, unreachable }: HereContext): string {
  const notices =
    unreachable === undefined
      ? 'Notices of new messages reach it.'
      : `Notices do not reach it now: ${inline(unreachable)}`;
  return `This conversation is ${inline(member)} in the room ${quoted(roomName)}. ${notices}`;
}

function roomLine({ name, role, code }: RoomSummary): string {
  const shownCode = code === undefined ? '' : `, code ${formatRoomCode(code)}`;
  return `- ${quoted(name)} (${role}${shownCode})`;
}

function newRoom({ name, code }: OperationResult<'new_room'>): string {
  return (
    `Made the room ${quoted(name)}. Its code is ${formatRoomCode(code)}: whoever has it can ` +
    'join. This conversation has not joined it.'
  );
}

function updateRoom(room: OperationResult<'update_room'>): string {
  return `The room is now:\n${roomLine(room)}\nDescription: ${quoted(room.description)}`;
}

function join(result: OperationResult<'join'>, context: ResultContext): string {
  const { nonce, nowMs, conversation } = context;
  const { room, members, history, unread } = result;
  return paragraphs(
    conversation === undefined ? '' : `Conversation: ${conversation}`,
    `${arrival(result)} ${foreignTextRuleOf(nonce)}`,
    room.description === ''
      ? ''
      : element(nonce, [['description-of-room', room.name]], room.description),
    `${count(members.length, 'member')}:\n${memberList(members, nonce, nowMs)}`,
    history.length === 0
      ? 'Nothing was said here yet.'
      : `Recent history, oldest first, as background:\n${envelopes(history, nonce)}`,
    unread === 0 ? '' : `${count(unread, 'unread message')} for this member: call inbox.`,
    offlineMembers(result, context),
  );
}

function arrival({ outcome, room, member }: OperationResult<'join'>): string {
  const [who, where] = [inline(member), quoted(room.name)];
  const sentences: Readonly<Record<typeof outcome, string>> = {
    joined: `Joined the room ${where} as ${who}.`,
    reused: `This conversation is already ${who} in the room ${where}; nothing changed.`,
    continued:
      `This conversation now continues ${who} in the room ${where}. Its unread mail came ` +
      'along, its transcript did not, and the conversation that had it before was disconnected.',
  };
  return sentences[outcome];
}

/** The exact words that continue a member, for the owner to say; nothing continues by itself. */
function offlineMembers({ offline }: OperationResult<'join'>, { roomCode }: ResultContext): string {
  if (offline.length === 0) return '';
  const code = roomCode === undefined ? 'ROOM-CODE' : formatRoomCode(roomCode);
  return [
    'Your account has offline members here. None was continued; that is for your owner to ask ' +
      'for, in these words:',
    ...offline.map((address) => `- join ${code} as ${inline(address).replace(/^.*\//, '')}`),
  ].join('\n');
}

function send({ id, recipients }: OperationResult<'send'>, { nowMs }: ResultContext): string {
  if (recipients.length === 0) return `Sent ${id}. It is on record in the room; nobody is told.`;
  const lines = recipients.map((recipient) => reachability(recipient, nowMs));
  return [`Sent ${id}.`, ...lines].join('\n');
}

function inbox({ messages, remaining }: OperationResult<'inbox'>, context: ResultContext): string {
  if (messages.length === 0) return 'The inbox is empty.';
  const { nonce } = context;
  return paragraphs(
    `${count(messages.length, 'message')}, oldest first. ${foreignTextRuleOf(nonce)}`,
    envelopes(messages, nonce),
    remaining === null ? 'Nothing else is unread.' : stillUnread(remaining),
  );
}

function stillUnread({ unread, from }: Unread): string {
  return `${count(unread, 'more unread message')}${senders(from)}: call inbox again.`;
}

function history(
  { messages, nextBefore }: OperationResult<'history'>,
  { nonce }: ResultContext,
): string {
  if (messages.length === 0) return 'There is nothing to show.';
  return paragraphs(
    `${count(messages.length, 'message')}, oldest first. ${foreignTextRuleOf(nonce)}`,
    envelopes(messages, nonce),
    nextBefore === null
      ? 'This is where the history begins.'
      : `There is more: call history with before ${nextBefore}.`,
  );
}

function envelopes(messages: readonly MessageView[], nonce: string): string {
  return messages.map((message) => envelope(message, nonce)).join('\n');
}

function paragraphs(...texts: string[]): string {
  return texts.filter((text) => text !== '').join('\n\n');
}
