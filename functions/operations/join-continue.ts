// Continuation: `join … as name` re-points a member of the account at the calling conversation.
import { HubError } from '../../protocol/errors.ts';
import { resolveReference } from '../../protocol/ids.ts';
import type { Clock, Member } from '../domain/room.ts';
import type { Proposal, Settled } from '../store/change-room.ts';
import { bindConversation, releaseConversation } from '../store/conversations.ts';
import { continueMember, getMember, getNumbersOfAddresses } from '../store/members.ts';
import { getCursor } from '../store/positions.ts';
import { checkCode } from '../store/rooms.ts';
import { noSuchRoom } from './join-room.ts';
import type { Joined, Joining } from './joining.ts';
import { memberViews } from './roster.ts';

/**
 * Its position stays, so unread mail follows; the epoch goes up, so nothing the former conversation
 * still has under way succeeds. Of two continuations at once the later one wins.
 */
export async function proposeContinuation(
  joining: Joining,
  as: string,
  clock: Clock,
): Promise<Proposal<Joined> | Settled<Joined>> {
  const { call, input, room, row } = joining;
  const member = await ownMember(joining, as, clock);
  const cursor = await getCursor(call.hub.table, room, member.no);
  const before = cursor?.epoch ?? 0;
  const { account } = call.principal;
  const { host, conversation } = call.caller;
  // Another process of this conversation continued it, and its row was not visible yet.
  if (member.host === host && member.conversation === conversation) {
    return { outcome: { no: member.no, epoch: before, outcome: 'reused' } };
  }
  const epoch = before + 1;
  const to = { host, conversation, ...input.workspace, intro: input.intro };
  return {
    entry: { kind: 'continuation', from: member.no },
    changesRoster: true,
    writes: (tick) => [
      ...continueMember(room, member, to, epoch, tick),
      releaseConversation(member, room, member.no),
      bindConversation({ account, host, conversation }, row, { room, no: member.no, epoch }),
      ...(input.code === undefined ? [] : [checkCode(input.code, room)]),
    ],
    result: () => ({ no: member.no, epoch, outcome: 'continued' }),
    settle: (refused) => {
      if (refused.has('code')) throw noSuchRoom();
      return undefined;
    },
  };
}

/** A present member of this account; the website's is neither source nor target. */
async function ownMember(
  { call, room, handle }: Joining,
  as: string,
  clock: Clock,
): Promise<Member> {
  const { hub, principal, caller } = call;
  if (caller.host === 'website') {
    throw new HubError('invalid_input', 'the website member continues no other');
  }
  const address = resolveReference(as, handle);
  const no = (await getNumbersOfAddresses(hub.table, room, [address])).get(address);
  const member = no === undefined ? undefined : await getMember(hub.table, room, no);
  const isOwn = member?.account === principal.account && member.host !== 'website';
  if (member !== undefined && isOwn) return member;
  const observer = { kind: 'observer', room, isOwner: false, stays: [] } as const;
  const members = await memberViews(hub, clock, observer);
  throw new HubError('no_such_member', `this account has no member ${address} in this room`, {
    members: members.filter((view) => view.address.startsWith(`${handle}/`)),
  });
}
