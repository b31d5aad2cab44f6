// One push member in a process of its own, so that it can be killed: the bridge's link on a fast
// clock, and an inbox that is read when a notice comes.
import type { Clock } from '../../bridge/clock.ts';
import { RoomLink } from '../../bridge/link/room-link.ts';
import { Agents } from '../../bridge/node/proxy.ts';
import { nodeSocket } from '../../bridge/node/socket.ts';
import { systemRandom } from '../../bridge/random.ts';
import { linkPath } from '../../protocol/frames.ts';
import { encodeHeaders } from '../../protocol/wire.ts';
import { callHub } from './hub-calls.ts';
import type { MemberOrders, MemberReport } from './messages.ts';

const retryMs = 200;

/** Resolves once the report is out of this process, so that killing it cannot take it back. */
function report(message: MemberReport): Promise<void> {
  // The campaign may be over already: then nobody wants to know.
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}

/** No time gets shorter than this: a busy machine needs a moment to answer a handshake. */
const shortestMs = 3_000;

/** The bridge's times, shortened; the machine's own clock stays as it is. */
function fastClock(speed: number): Clock {
  return {
    nowMs: () => Date.now() * speed,
    after: (delayMs, action) => {
      const shortenedMs = Math.max(delayMs / speed, Math.min(delayMs, shortestMs));
      const timer = setTimeout(action, shortenedMs);
      return () => clearTimeout(timer);
    },
  };
}

function start({ hub, context, speed }: MemberOrders): void {
  let isReading = false;
  let isAsked = false;

  /** Reads until nothing is left; a notice that comes meanwhile is not lost. */
  async function readAll(): Promise<void> {
    isAsked = true;
    if (isReading) return;
    isReading = true;
    while (isAsked) {
      isAsked = false;
      await readOnce().catch(async () => {
        await new Promise((resolve) => setTimeout(resolve, retryMs));
        isAsked = true;
      });
    }
    isReading = false;
  }

  async function readOnce(): Promise<void> {
    const { messages, upTo, remaining } = await callHub(hub, 'inbox', context, {});
    if (messages.length === 0) return;
    // As a host does: the agent has them before the position moves, or a kill would lose them.
    await report({ t: 'handed', ids: messages.map(({ id }) => id) });
    await callHub(hub, 'read', context, { upTo });
    if (remaining !== null) isAsked = true;
  }

  const openSocket = nodeSocket(new Agents());
  new RoomLink({
    openSocket: (target, events) =>
      openSocket(target, {
        ...events,
        opened: () => {
          void report({ t: 'link', isOpen: true });
          events.opened();
        },
        closed: (end) => {
          void report({ t: 'link', isOpen: false });
          events.closed(end);
        },
      }),
    clock: fastClock(speed),
    random: systemRandom,
    target: async () => ({
      url: `${hub.replace(/^http/, 'ws')}${linkPath}`,
      headers: encodeHeaders(context),
    }),
    refusalStatus: async () => undefined,
    state: () => ({ t: 'state', wakeable: true }),
    notified: ({ unread, upTo }) => {
      if (unread === 0) return;
      void report({ t: 'told', upTo });
      void readAll();
    },
    ended: () => void report({ t: 'link', isOpen: false }),
  });
}

process.once('message', (orders: MemberOrders) => start(orders));
process.on('disconnect', () => process.exit(0));
