// join: brings a conversation into a room; everything else follows from it.
import { HubError } from '../../protocol/errors.ts';
import { formatAddress } from '../../protocol/ids.ts';
import type { OperationInput, OperationResult } from '../../protocol/operations/index.ts';
import { quoted } from '../../protocol/render/plain.ts';
import type { Clock } from '../domain/room.ts';
import { getProfile } from '../store/accounts.ts';
import { changeRoom, type Proposal, type Settled } from '../store/change-room.ts';
import { getConversation } from '../store/conversations.ts';
import { getMember, getSiteMember } from '../store/members.ts';
import { getCursor } from '../store/positions.ts';
import { getClock, getRoomMeta } from '../store/rooms.ts';
import { noteActivity } from './activity.ts';
import { untilVisible } from './half-visible.ts';
import { historyPage } from './history.ts';
import type { ConversationCall } from './hub.ts';
import { proposeContinuation } from './join-continue.ts';
import { proposeMember } from './join-new.ts';
import { openRoom } from './join-room.ts';
import type { Joined, Joining } from './joining.ts';
import { unreadOf } from './mail.ts';
import { handleRequired } from './new-room.ts';
import { memberViews } from './roster.ts';

type Input = OperationInput<'join'>;

export async function join(call: ConversationCall, input: Input): Promise<OperationResult<'join'>> {
  const { hub, deadline, principal } = call;
  const handle = (await getProfile(hub.table, principal.account))?.handle;
  if (handle === undefined) throw handleRequired();
  const { room, clock } = await openRoom(call, input);
  const joined = await changeRoom(hub.table, room, deadline, clock, async (now) => {
    const row = await conversationRow(call);
    return propose({ call, input, room, handle, row }, now);
  });
  return answer(call, room, joined);
}

async function conversationRow({ hub, principal, caller }: ConversationCall) {
  if (caller.host === 'website') return undefined;
  return getConversation(hub.table, { account: principal.account, ...caller });
}

async function propose(
  joining: Joining,
  clock: Clock,
): Promise<Proposal<Joined> | Settled<Joined>> {
  const { call, input, room } = joining;
  const known = await knownStay(joining);
  if (known !== undefined) {
    await requireSameName(joining, known.no);
    const cursor = await getCursor(call.hub.table, room, known.no);
    await noteActivity(call, { room, ...known }, cursor?.lastActiveAt);
    return { outcome: { ...known, outcome: 'reused' } };
  }
  await requireNoOtherRoom(joining);
  return input.as === undefined
    ? proposeMember(joining, clock)
    : proposeContinuation(joining, input.as, clock);
}

async function knownStay({ call, room, row }: Joining) {
  if (call.caller.host === 'website') {
    return getSiteMember(call.hub.table, room, call.principal.account);
  }
  if (row?.room !== room || row.no === undefined) return undefined;
  return { no: row.no, epoch: row.epoch };
}

/** A conversation is one member of its room: asking for another one is asking for a second. */
async function requireSameName({ call, input, room, handle }: Joining, no: number): Promise<void> {
  if (input.as === undefined) return;
  const member = await getMember(call.hub.table, room, no);
  const address = member === undefined ? undefined : formatAddress(member);
  if (address === input.as || address === `${handle}/${input.as}`) return;
  throw new HubError(
    'already_in_room',
    `this conversation is in this room as ${address ?? 'another member'}`,
  );
}

/** In another room: refused by its name, unless that room was deleted or the stay there ended. */
async function requireNoOtherRoom({ call, room, row }: Joining): Promise<void> {
  if (row?.room === undefined || row.no === undefined || row.room === room) return;
  const { table } = call.hub;
  const [clock, cursor, meta] = await Promise.all([
    getClock(table, row.room),
    getCursor(table, row.room, row.no),
    getRoomMeta(table, row.room),
  ]);
  const isOver = clock === undefined || clock.deletedAt !== undefined;
  // No cursor is no end: that of a join just committed may not be visible yet.
  if (isOver || cursor?.hasLeft === true) return;
  throw new HubError(
    'already_in_room',
    `this conversation is in the room ${quoted(meta?.name ?? row.room)}`,
  );
}

async function answer(
  call: ConversationCall,
  room: string,
  joined: Joined,
): Promise<OperationResult<'join'>> {
  const view = await untilVisible(call.hub, async () => {
    const view = await joinView(call, room, joined);
    return { view, isHalf: view === undefined };
  });
  if (view === undefined) throw goneAgain();
  return view;
}

const goneAgain = () => new HubError('not_in_room', 'the room or the member is gone again');

/** The room as the member finds it; undefined while another process's join is half visible. */
async function joinView(
  { hub }: ConversationCall,
  room: string,
  { no, outcome }: Joined,
): Promise<OperationResult<'join'> | undefined> {
  const clock = await getClock(hub.table, room);
  const meta = await getRoomMeta(hub.table, room);
  const cursor = await getCursor(hub.table, room, no);
  if (clock === undefined || meta?.deletedAt !== undefined || cursor?.hasLeft) throw goneAgain();
  if (meta === undefined || cursor === undefined) return undefined;
  const seat = { kind: 'member', room, no } as const;
  const [members, history, unread] = await Promise.all([
    memberViews(hub, clock, seat),
    historyPage(hub, clock, seat, { limit: hub.policy.pages.join }),
    outcome === 'joined' ? undefined : unreadOf(hub, clock, { room, no, readSeq: cursor.readSeq }),
  ]);
  const me = members.find((member) => member.me);
  if (me === undefined) return undefined;
  const [own] = me.address.split('/');
  return {
    room: { id: room, name: meta.name, description: meta.description },
    member: me.address,
    outcome,
    members,
    history: history.messages,
    unread: unread?.unread ?? 0,
    offline: members
      .filter((member) => member.address.startsWith(`${own}/`) && !member.me)
      .filter((member) => member.state === 'offline' && member.host !== 'website')
      .map((member) => member.address),
  };
}
