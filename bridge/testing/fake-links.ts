// For tests: the fake Hub's end of room links.
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { type WebSocket, WebSocketServer } from 'ws';
import { HubError, httpStatusOf } from '../../protocol/errors.ts';
import { decodeClientFrame, type HubFrame, linkPath, ping, pong } from '../../protocol/frames.ts';
import { decodeHeaders, type HeaderRecord } from '../../protocol/wire.ts';
import type { FakeState } from './fake-operations.ts';
import { type FakeMember, type FakeRoom, unreadState } from './fake-rooms.ts';

/** A link of a member, as the Hub holds it. */
export interface FakeLink {
  member: FakeMember;
  headers: HeaderRecord;
  socket: WebSocket;
  /** Everything the client sent on it. */
  received: string[];
}

export class FakeLinks {
  /** Open links, oldest first. */
  readonly open: FakeLink[] = [];
  /** Links that ever opened. */
  opened = 0;
  /** Everything that clients sent, on whatever link. */
  readonly received: string[] = [];
  /** Headers of each upgrade that was asked for. */
  readonly upgrades: HeaderRecord[] = [];
  /** HTTP status with which every upgrade is refused. */
  refusal: number | undefined;
  /** Whether upgrades are left without an answer. */
  isHanging = false;
  /** Whether pings are left without an answer. */
  isSilent = false;
  readonly #hanging = new Set<Duplex>();
  readonly #state: FakeState;
  readonly #server = new WebSocketServer({ noServer: true });

  constructor(state: FakeState) {
    this.#state = state;
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer): void {
    const headers = headersOf(request);
    this.upgrades.push(headers);
    // Clients that give up reset the connection.
    socket.on('error', () => {});
    if (this.isHanging) {
      this.#hanging.add(socket);
      return;
    }
    try {
      const refusal = request.url === linkPath ? this.refusal : 404;
      if (refusal !== undefined) {
        refuse(socket, refusal);
        return;
      }
      const { room: id, caller, bearer: token } = decodeHeaders(headers);
      const { room, member } = this.#state.member({ token, room: id, caller });
      for (const older of this.open.filter((candidate) => candidate.member === member)) {
        this.send({ t: 'state', link: 'superseded' }, older);
      }
      this.#server.handleUpgrade(request, socket, head, (ws) =>
        this.#opened(room, { member, headers, socket: ws, received: [] }),
      );
    } catch (error) {
      refuse(socket, error instanceof HubError ? httpStatusOf[error.code] : 500);
    }
  }

  /** Sends a frame, or any text, to every open link, or to one. */
  send(frame: HubFrame | string, link?: FakeLink): void {
    const text = typeof frame === 'string' ? frame : JSON.stringify(frame);
    for (const { socket } of link === undefined ? this.open : [link]) socket.send(text);
  }

  /** Tells the newest link of a member what is unread, if anything is. */
  notify(room: FakeRoom, member: FakeMember): void {
    const link = this.open.findLast((candidate) => candidate.member === member);
    const unread = unreadState(room, member);
    if (link !== undefined && unread !== null) this.send({ t: 'notify', ...unread }, link);
  }

  /** Says that the links of a member are over, and closes them, as the Hub does. */
  end(member: FakeMember, link: 'rebound' | 'not_in_room' | 'revoked'): void {
    for (const ended of this.open.filter((candidate) => candidate.member === member)) {
      this.send({ t: 'state', link }, ended);
      ended.socket.close();
    }
  }

  /** Drops every connection, as a network does. */
  cut(): void {
    for (const { socket } of this.open) socket.terminate();
    for (const socket of this.#hanging) socket.destroy();
  }

  /** Closes every link with a code. */
  close(code: number): void {
    for (const { socket } of this.open) socket.close(code);
  }

  #opened(room: FakeRoom, link: FakeLink): void {
    const { member, socket } = link;
    this.open.push(link);
    this.opened += 1;
    socket.on('message', (message) => this.#message(link, message.toString()));
    socket.on('close', () => {
      this.open.splice(this.open.indexOf(link), 1);
      if (!this.open.some((other) => other.member === member)) member.wakeable = undefined;
    });
    this.notify(room, member);
  }

  #message(link: FakeLink, text: string): void {
    link.received.push(text);
    this.received.push(text);
    if (text === ping && !this.isSilent) this.send(pong, link);
    const frame = decodeClientFrame(text);
    if (frame !== undefined) link.member.wakeable = frame.wakeable;
  }
}

function refuse(socket: Duplex, status: number): void {
  socket.end(`HTTP/1.1 ${status} Refused\r\nConnection: close\r\nContent-Length: 0\r\n\r\n`);
}

/** Header values by lower-cased name. */
export function headersOf(request: IncomingMessage): HeaderRecord {
  return Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
}
