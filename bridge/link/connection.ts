// One WebSocket of the room link: opening in time, staying alive, frames in and out.
import type { ClientStateFrame, HubFrame } from '../../protocol/frames.ts';
import { decodeHubFrame, ping } from '../../protocol/frames.ts';
import type { Clock } from '../clock.ts';
import type { LinkTarget, OpenSocket, SocketEnd } from './socket.ts';
import { goodbyeTimeoutMs, handshakeTimeoutMs, pingIntervalMs, pongTimeoutMs } from './timing.ts';

export interface ConnectionEvents {
  opened: () => void;
  frame: (frame: HubFrame) => void;
  /** Called once, also after `close`. */
  closed: (end: SocketEnd) => void;
}

export interface Connection {
  send: (frame: ClientStateFrame) => void;
  /** Ends it politely, and by force if the other side does not answer. */
  close: () => void;
}

export function openConnection(
  { openSocket, clock }: { openSocket: OpenSocket; clock: Clock },
  target: LinkTarget,
  events: ConnectionEvents,
): Connection {
  let phase: 'opening' | 'open' | 'closing' | 'closed' = 'opening';
  let cancelPing = () => {};
  /** Of whatever is waited for: the handshake, the answer to a ping, the other side's goodbye. */
  let cancelLimit = () => {};

  function limit(delayMs: number): void {
    cancelLimit();
    cancelLimit = clock.after(delayMs, () => socket.terminate());
  }

  function pingLater(): void {
    cancelPing = clock.after(pingIntervalMs, () => {
      socket.send(ping);
      limit(pongTimeoutMs);
      pingLater();
    });
  }

  const socket = openSocket(target, {
    opened() {
      if (phase !== 'opening') return;
      phase = 'open';
      cancelLimit();
      pingLater();
      events.opened();
    },
    received(text) {
      if (phase !== 'open') return;
      cancelLimit();
      const frame = decodeHubFrame(text);
      if (frame !== undefined) events.frame(frame);
    },
    closed(end) {
      phase = 'closed';
      cancelPing();
      cancelLimit();
      events.closed(end);
    },
  });
  limit(handshakeTimeoutMs);

  return {
    send(frame) {
      if (phase === 'open') socket.send(JSON.stringify(frame));
    },
    close() {
      if (phase === 'closing' || phase === 'closed') return;
      phase = 'closing';
      cancelPing();
      limit(goodbyeTimeoutMs);
      socket.close();
    },
  };
}
