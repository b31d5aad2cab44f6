// The open connections of a WebSocket API: what may be posted to them, and when they end.
import { randomBytes } from 'node:crypto';
import type { WebSocket } from 'ws';
import type { StackClock } from '../clock.ts';

const idleLimitMs = 10 * 60_000;
const lifeLimitMs = 2 * 60 * 60_000;
/** Of one message, in either direction. */
export const messageLimitBytes = 128 * 1024;
/** What may wait for a slow reader before posts are refused. */
const bufferLimitBytes = 1024 * 1024;
const checkEveryMs = 1_000;

/** What a test may do to connections while they are open. */
export type LinkFaults = {
  /** `$disconnect` is best effort: it does not come at all. */
  dropsDisconnects: boolean;
  /** How every post is answered instead. */
  refusesPosts: 'gone' | 'limit' | undefined;
};

/** What comes of a post or a look at a connection. */
export type PostOutcome = 'sent' | 'gone' | 'limit' | 'too-large';

export type Connection = {
  readonly id: string;
  readonly connectedAtMs: number;
  /** Absent until `$connect` has returned. */
  socket: WebSocket | undefined;
  lastActiveAtMs: number;
};

export class Connections {
  readonly #clock: StackClock;
  readonly #faults: LinkFaults;
  readonly #all = new Map<string, Connection>();
  readonly #timer: NodeJS.Timeout;

  constructor(clock: StackClock, faults: LinkFaults) {
    this.#clock = clock;
    this.#faults = faults;
    this.#timer = setInterval(() => this.#endOverdue(), checkEveryMs);
    clock.onShift(() => this.#endOverdue());
  }

  /** IDs of the connections that are open. */
  get ids(): string[] {
    return [...this.#all.values()].filter(({ socket }) => socket).map(({ id }) => id);
  }

  /** A connection that is being opened: nothing can be posted to it yet. */
  open(): Connection {
    const now = this.#clock.now();
    const id = `${randomBytes(10).toString('base64url')}=`;
    const connection = { id, connectedAtMs: now, socket: undefined, lastActiveAtMs: now };
    this.#all.set(id, connection);
    return connection;
  }

  forget({ id }: Connection): void {
    this.#all.delete(id);
  }

  touch(connection: Connection): void {
    connection.lastActiveAtMs = this.#clock.now();
  }

  find(id: string): Connection | undefined {
    const connection = this.#all.get(id);
    return connection?.socket ? connection : undefined;
  }

  post(id: string, payload: Buffer): PostOutcome {
    const connection = this.find(id);
    if (this.#faults.refusesPosts) return this.#faults.refusesPosts;
    if (!connection?.socket) return 'gone';
    if (payload.length > messageLimitBytes) return 'too-large';
    if (connection.socket.bufferedAmount > bufferLimitBytes) return 'limit';
    this.touch(connection);
    connection.socket.send(payload, { binary: false });
    return 'sent';
  }

  /** Ends a connection at the wish of the backend; whether there was one. */
  end(id: string): boolean {
    const connection = this.find(id);
    connection?.socket?.close(1000, 'Connection Closed Normally');
    return connection !== undefined;
  }

  close(): void {
    clearInterval(this.#timer);
    for (const { socket } of this.#all.values()) socket?.terminate();
    this.#all.clear();
  }

  #endOverdue(): void {
    const now = this.#clock.now();
    for (const { socket, lastActiveAtMs, connectedAtMs } of this.#all.values()) {
      const isOverdue = now - lastActiveAtMs >= idleLimitMs || now - connectedAtMs >= lifeLimitMs;
      if (isOverdue) socket?.close(1001, 'Going away');
    }
  }
}
