// The link of one conversation to its room: kept open, announced on, replaced in time, and ended
// when the Hub says so (protocol, section 3).
import {
  type ClientStateFrame,
  type HubFrame,
  type LinkEnd,
  linkEndOfCloseCode,
} from '../../protocol/frames.ts';
import type { Unread } from '../../protocol/nouns.ts';
import type { Clock } from '../clock.ts';
import type { Random } from '../random.ts';
import { type Connection, openConnection } from './connection.ts';
import type { LinkTarget, OpenSocket, SocketEnd } from './socket.ts';
import {
  reconnectDelayMs,
  refusedRetryMs,
  rotationDelayMs,
  settledAfterMs,
  stateIntervalMs,
} from './timing.ts';

export interface RoomLinkPorts {
  openSocket: OpenSocket;
  clock: Clock;
  random: Random;
  /** Asked before each attempt, so that a new token counts; undefined: signed out. */
  target: () => Promise<LinkTarget | undefined>;
  /** Finds the status of a refusal that the runtime did not tell; undefined: no refusal. */
  refusalStatus: () => Promise<number | undefined>;
  /** What the link announces now. */
  state: () => ClientStateFrame;
  notified: (unread: Unread) => void;
  /** The link is over and stays over; `revoked` also if it was signed out before it opened. */
  ended: (end: LinkEnd) => void;
}

/** `refused`: the Hub did not let it in, and time alone will not change that. */
export type LinkPhase = 'connecting' | 'open' | 'waiting' | 'refused' | 'over';

const endOfRefusal: ReadonlyMap<number, LinkEnd> = new Map([
  [401, 'revoked'],
  [409, 'not_in_room'],
]);
const lastingRefusals: ReadonlySet<number> = new Set([400, 403, 426]);

export class RoomLink {
  readonly #ports: RoomLinkPorts;
  #phase: LinkPhase = 'connecting';
  #refusedStatus: number | undefined;
  /** The one that announces, and the one that is to take its place. */
  #current: Connection | undefined;
  #next: Connection | 'preparing' | undefined;
  readonly #sockets = new Set<Connection>();
  #openedAtMs = 0;
  #failures = 0;
  #announced = '';
  #cancelAttempt = () => {};
  #cancelState = () => {};
  #whenClosed: Promise<void> | undefined;
  #allClosed = () => {};

  /** Starts connecting. */
  constructor(ports: RoomLinkPorts) {
    this.#ports = ports;
    void this.#attempt();
  }

  get phase(): LinkPhase {
    return this.#phase;
  }

  /** With phase `refused`: the HTTP status. */
  get refusedStatus(): number | undefined {
    return this.#refusedStatus;
  }

  /** Sends the state if it is another than the Hub knows. */
  announce(): void {
    const state = this.#ports.state();
    if (JSON.stringify(state) !== this.#announced) this.#sendState(state);
  }

  /** Ends the link and resolves once no socket of it is left. */
  async close(): Promise<void> {
    this.#stop();
    if (this.#sockets.size === 0) return;
    this.#whenClosed ??= new Promise((resolve) => {
      this.#allClosed = resolve;
    });
    await this.#whenClosed;
  }

  async #attempt(): Promise<void> {
    if (this.#current === undefined) this.#phase = 'connecting';
    this.#next = 'preparing';
    const target = await this.#ports.target();
    if (this.#phase === 'over') return;
    if (target === undefined) return this.#end('revoked');
    const connection: Connection = openConnection(this.#ports, target, {
      opened: () => this.#opened(connection),
      frame: (frame) => this.#received(connection, frame),
      closed: (end) => this.#closed(connection, end),
    });
    this.#next = connection;
    this.#sockets.add(connection);
  }

  #opened(connection: Connection): void {
    this.#current?.close();
    this.#current = connection;
    this.#next = undefined;
    this.#phase = 'open';
    this.#refusedStatus = undefined;
    this.#openedAtMs = this.#ports.clock.nowMs();
    this.#sendState(this.#ports.state());
    this.#later(rotationDelayMs(this.#ports.random), () => {
      this.#failures = 0;
      return this.#attempt();
    });
  }

  #received(connection: Connection, frame: HubFrame): void {
    if (frame.t === 'notify') {
      const { t: _, ...unread } = frame;
      this.#ports.notified(unread);
    } else if (frame.link !== 'superseded' || !this.#isRotatingAway(connection)) {
      this.#end(frame.link);
    }
  }

  #closed(connection: Connection, { code, refusedStatus }: SocketEnd): void {
    this.#sockets.delete(connection);
    if (this.#sockets.size === 0) this.#allClosed();
    if (this.#phase === 'over') return;
    const end = code === undefined ? undefined : linkEndOfCloseCode.get(code);
    if (end !== undefined && (end !== 'superseded' || !this.#isRotatingAway(connection))) {
      this.#end(end);
    } else if (connection === this.#next) {
      this.#next = undefined;
      void this.#failed(refusedStatus);
    } else if (connection === this.#current) {
      this.#current = undefined;
      this.#cancelState();
      const heldMs = this.#ports.clock.nowMs() - this.#openedAtMs;
      if (heldMs >= settledAfterMs) this.#failures = 0;
      if (this.#next === undefined) this.#reconnect();
      else this.#phase = 'connecting';
    }
  }

  /** A newer connection of ours is being opened, or open: the Hub tells the older one. */
  #isRotatingAway(connection: Connection): boolean {
    return connection !== this.#next && (this.#next !== undefined || connection !== this.#current);
  }

  async #failed(told: number | 'unknown' | undefined): Promise<void> {
    const status = told === 'unknown' ? await this.#ports.refusalStatus() : told;
    if (this.#phase === 'over') return;
    const end = status === undefined ? undefined : endOfRefusal.get(status);
    if (end !== undefined) return this.#end(end);
    if (status === undefined || !lastingRefusals.has(status)) return this.#reconnect();
    if (this.#current === undefined) this.#phase = 'refused';
    this.#refusedStatus = status;
    this.#later(refusedRetryMs, () => this.#attempt());
  }

  #reconnect(): void {
    if (this.#current === undefined) this.#phase = 'waiting';
    this.#later(reconnectDelayMs(this.#failures, this.#ports.random), () => this.#attempt());
    this.#failures += 1;
  }

  /** Plans the one next attempt, in place of what was planned before. */
  #later(delayMs: number, attempt: () => Promise<void>): void {
    this.#cancelAttempt();
    this.#cancelAttempt = this.#ports.clock.after(delayMs, () => void attempt());
  }

  #sendState(state: ClientStateFrame): void {
    if (this.#current === undefined) return;
    this.#current.send(state);
    this.#announced = JSON.stringify(state);
    this.#cancelState();
    this.#cancelState = this.#ports.clock.after(stateIntervalMs, () => {
      this.#sendState(this.#ports.state());
    });
  }

  #end(end: LinkEnd): void {
    this.#stop();
    this.#ports.ended(end);
  }

  #stop(): void {
    this.#phase = 'over';
    this.#cancelAttempt();
    this.#cancelState();
    for (const socket of this.#sockets) socket.close();
  }
}
