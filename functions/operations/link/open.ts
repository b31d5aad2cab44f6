// Opening a room link: the newest connection of a member is its link, an older one is told so.
import { HubError } from '../../../protocol/errors.ts';
import { tierOf } from '../../../protocol/nouns.ts';
import type { CallingConversation } from '../../../protocol/wire.ts';
import type { Link } from '../../domain/room.ts';
import { detachConnection, putConnection, putLink } from '../../store/links.ts';
import type { Stay } from '../../store/positions.ts';
import { forMember, requirePrincipal } from '../enter.ts';
import type { Hub, MemberCall } from '../hub.ts';
import { closeLink } from './close.ts';
import { endLink, type LinkHub } from './connections.ts';

/** An upgrade request as the binding decoded it. */
export interface Upgrade {
  readonly connection: string;
  readonly connectedAt: number;
  readonly bearer?: string | undefined;
  readonly room?: string | undefined;
  readonly caller?: CallingConversation | undefined;
}

/** API Gateway gives a connect integration little more than the client's handshake patience. */
const patienceMs = 8_000;

/**
 * Accepts an upgrade or throws `invalid_input`, `not_logged_in`, `forbidden`, `not_in_room`. The
 * link counts as not wakeable until its first state frame; writing it replays the notice.
 */
export async function openLink(hub: Hub & LinkHub, upgrade: Upgrade): Promise<void> {
  const { bearer, room, caller } = upgrade;
  const principal = await requirePrincipal(hub, bearer, caller);
  if (caller !== undefined && tierOf[caller.host] === 'pull') {
    throw new HubError('invalid_input', `${caller.host} has no room link`);
  }
  const deadline = { atMs: hub.table.nowMs() + patienceMs };
  await accept.run({ hub, deadline, principal, room, caller }, { hub, upgrade });
  try {
    // Whoever signed out meanwhile ended the links that were there, and this one was not.
    await requirePrincipal(hub, bearer, caller);
  } catch (error) {
    await closeLink(hub, upgrade.connection, false);
    throw error;
  }
}

const accept = forMember(
  async ({ seat, principal }: MemberCall, { hub, upgrade }: { hub: LinkHub; upgrade: Upgrade }) => {
    const { connection, connectedAt } = upgrade;
    const { room, no, epoch } = seat;
    const { account, device } = principal;
    await putConnection(hub.table, connection, { room, no, epoch, account, device, connectedAt });
    await takeLink(hub, seat, { connection, connectedAt, wakeable: false, seenAt: connectedAt });
  },
);

/**
 * Makes a connection its member's link and tells the one it replaced; or, if a newer one is there,
 * tells this one. Two processes so never take turns: the older is told once and stays quiet.
 */
export async function takeLink(
  hub: LinkHub,
  stay: Stay,
  link: Pick<Link, 'connection' | 'connectedAt' | 'wakeable' | 'busy' | 'seenAt'>,
): Promise<void> {
  const { isNewest, replaced } = await putLink(hub.table, stay, link);
  if (!isNewest) return supersede(hub, link.connection);
  if (replaced === undefined || replaced.connection === link.connection) return;
  // The new link stands whatever becomes of the old one: that is told at its next frame at the
  // latest.
  await tellReplaced(hub, stay, replaced).catch(() => {});
}

async function tellReplaced(hub: LinkHub, stay: Stay, replaced: Link): Promise<void> {
  if (replaced.epoch === stay.epoch) return supersede(hub, replaced.connection);
  await endLink(hub, { ...stay, connection: replaced.connection }, 'rebound');
}

/**
 * Told once: a socket that is detached is not found by its next frame. One that is still being
 * opened answers "gone" and stays, so that its first state frame is answered.
 */
async function supersede({ table, connections }: LinkHub, connection: string): Promise<void> {
  const outcome = await connections.post(connection, { t: 'state', link: 'superseded' });
  if (outcome === 'sent') await detachConnection(table, connection);
}
