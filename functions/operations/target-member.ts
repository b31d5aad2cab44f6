// Which member `leave` and `rename` mean, and whether it is the caller's own.
import { HubError } from '../../protocol/errors.ts';
import { resolveReference } from '../../protocol/ids.ts';
import type { Clock, Member } from '../domain/room.ts';
import { getProfile } from '../store/accounts.ts';
import { getMember, getNumbersOfAddresses } from '../store/members.ts';
import type { RoomCall } from './hub.ts';
import { memberViews } from './roster.ts';
import { stayIsOver } from './stay.ts';

/**
 * The present member named, else the caller's own. Throws `no_such_member` with the member list,
 * `not_in_room` if the caller's own stay is over, `invalid_input` if an observer names nobody.
 */
export async function targetMember(
  call: RoomCall,
  clock: Clock,
  reference: string | undefined,
): Promise<Member> {
  if (reference === undefined) return ownMember(call);
  const { hub, seat, principal } = call;
  const handle = (await getProfile(hub.table, principal.account))?.handle ?? '';
  const address = resolveReference(reference, handle);
  const no = (await getNumbersOfAddresses(hub.table, seat.room, [address])).get(address);
  if (seat.kind === 'member' && seat.no === no) return ownMember(call);
  const member = no === undefined ? undefined : await getMember(hub.table, seat.room, no);
  if (member !== undefined && member.leftTick === undefined) return member;
  throw new HubError('no_such_member', `${address} is not in this room`, {
    members: await memberViews(hub, clock, seat),
  });
}

/** The stay may have ended since it was looked up: the conversation must still be its own. */
async function ownMember({ hub, seat }: RoomCall): Promise<Member> {
  if (seat.kind === 'observer') throw new HubError('invalid_input', 'name the member');
  const member = await getMember(hub.table, seat.room, seat.no);
  const { host, conversation } = seat.caller;
  const isOwn = member?.host === host && member.conversation === conversation;
  if (member !== undefined && isOwn && member.leftTick === undefined) return member;
  throw stayIsOver();
}
