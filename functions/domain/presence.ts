// Whether a member can be reached, derived from its link's freshness and its last activity.
import { type HostKind, type Presence, tierOf } from '../../protocol/nouns.ts';
import type { Link, TimeMs } from './room.ts';

/**
 * A link that has not been heard of for this long is dead, whatever `$disconnect` did (design,
 * section 4).
 */
const linkSilenceMs = 11 * 60_000;
/** API Gateway ends every connection after two hours; ten minutes are for clocks and retries. */
const linkAgeMs = 130 * 60_000;
/** `lastActiveAt` moves at most once in this time. */
const activityGrainMs = 60_000;

/**
 * A link counts while it is young enough, was heard of lately and belongs to the current
 * conversation.
 */
export function isFresh(link: Link, epoch: number, nowMs: TimeMs): boolean {
  return (
    link.epoch === epoch &&
    nowMs - link.seenAt < linkSilenceMs &&
    nowMs - link.connectedAt < linkAgeMs
  );
}

/** Presence of one member at `nowMs` (protocol, section 2, views). */
export function presenceOf(
  member: {
    readonly host: HostKind;
    readonly lastActiveAt: TimeMs;
    readonly epoch: number;
    readonly hasLeft: boolean;
    readonly link?: Link | undefined;
  },
  nowMs: TimeMs,
  pullOnlineMs: number,
): Presence {
  const tier = tierOf[member.host];
  if (tier === 'pull') {
    const online = !member.hasLeft && nowMs - member.lastActiveAt < pullOnlineMs;
    return shown(online, false, online ? nowMs : member.lastActiveAt);
  }
  const link =
    member.link && !member.hasLeft && isFresh(member.link, member.epoch, nowMs)
      ? member.link
      : undefined;
  const online = link?.wakeable === true;
  const lastSeen = Math.max(member.lastActiveAt, member.link?.seenAt ?? 0);
  return shown(online, online, online ? nowMs : lastSeen, link?.busy);

  function shown(online: boolean, wakeable: boolean, lastActiveAt: number, busy?: boolean) {
    return {
      state: online ? ('online' as const) : ('offline' as const),
      tier,
      wakeable,
      ...(busy === undefined ? {} : { busy }),
      lastActiveAt,
    };
  }
}

/** True when a write only for the sake of `lastActiveAt` is due. */
export function isActivityDue(lastActiveAt: TimeMs, nowMs: TimeMs): boolean {
  return nowMs - lastActiveAt >= activityGrainMs;
}
