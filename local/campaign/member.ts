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

function report(message: MemberReport): void {
  // The campaign may be over already: then nobody wants to know.
  process.send?.(message, () => {});
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
    await callHub(hub, 'read', context, { upTo });
    report({ t: 'read', ids: messages.map(({ id }) => id), upTo });
    if (remaining !== null) isAsked = true;
  }

  const openSocket = nodeSocket(new Agents());
  new RoomLink({
    openSocket: (target, events) =>
      openSocket(target, {
        ...events,
        opened: () => {
          report({ t: 'link', isOpen: true });
          events.opened();
        },
        closed: (end) => {
          report({ t: 'link', isOpen: false });
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
      report({ t: 'told', upTo });
      void readAll();
    },
    ended: () => report({ t: 'link', isOpen: false }),
  });
}

process.once('message', (orders: MemberOrders) => start(orders));
process.on('disconnect', () => process.exit(0));
