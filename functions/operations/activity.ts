// Signs of life: which calls move their member's `lastActiveAt` (protocol, section 2, views).
import { tierOf } from '../../protocol/nouns.ts';
import { isActivityDue } from '../domain/presence.ts';
import { getCursor, type Stay, touchMember } from '../store/positions.ts';
import type { AccountCall, MemberCall } from './hub.ts';

/** Notes that the member is there, unless that was noted a moment ago. */
export async function noteActivity(
  { hub, deadline }: AccountCall,
  stay: Stay,
  lastActiveAt: number | undefined,
): Promise<void> {
  if (lastActiveAt === undefined || !isActivityDue(lastActiveAt, hub.table.nowMs())) return;
  await touchMember(hub.table, deadline, stay);
}

/**
 * A connector's every call shows that its chat is alive, as it has no link. The website's looking
 * around does not: a page may be open without anybody before it.
 */
export async function noteConnectorCall(call: MemberCall): Promise<void> {
  const { hub, seat } = call;
  const { host } = seat.caller;
  if (tierOf[host] === 'push' || host === 'website') return;
  const cursor = await getCursor(hub.table, seat.room, seat.no);
  await noteActivity(call, seat, cursor?.lastActiveAt);
}
