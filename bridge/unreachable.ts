// Why notices do not reach a conversation, in one sentence for its agent and owner.
import type { LinkEnd } from '../protocol/frames.ts';
import type { RoomLink } from './link/room-link.ts';
import type { Shell } from './shell.ts';

export interface Reachability {
  end: LinkEnd | undefined;
  link: Pick<RoomLink, 'phase' | 'refusedStatus'> | undefined;
  /** Why starting a turn failed for good. */
  failure: string | undefined;
  shell: Shell;
}

const upgradeStatus = 426;

/** Undefined if they do reach it; the most lasting reason first. */
export function unreachable({ end, link, failure, shell }: Reachability): string | undefined {
  if (end !== undefined) return sentenceOfEnd[end];
  if (link?.phase === 'refused') return refused(link.refusedStatus);
  if (link?.phase !== 'open') return 'there is no connection to the Hub yet; it is being opened.';
  if (failure !== undefined) return `starting a turn failed: ${failure}`;
  if (shell.wakeable()) return undefined;
  return shell.unwakeable?.() ?? 'this host cannot start a turn at the moment.';
}

const sentenceOfEnd: Readonly<Record<LinkEnd, string>> = {
  superseded: 'this conversation is open in another process too, and that one gets them.',
  rebound: 'its member continues in another conversation.',
  not_in_room: 'this conversation is not in the room any more.',
  revoked: 'this device is not signed in.',
};

function refused(status: number | undefined): string {
  return status === upgradeStatus
    ? 'the Hub asks for a newer Tandry plugin; your owner has to update it in this host.'
    : `the Hub refuses the connection (HTTP ${status}).`;
}
