// Room links of a Hub, opened the way a client opens them. What a Hub may say at all is checked on
// every frame: a scenario whose links hear anything else fails.
import assert from 'node:assert/strict';
import { EventEmitter, once } from 'node:events';
import { isDeepStrictEqual } from 'node:util';
import { WebSocket } from 'ws';
import * as z from 'zod';
import {
  type ClientStateFrame,
  type HubFrame,
  HubStateFrame,
  linkPath,
  NotifyFrame,
  ping,
  pong,
} from '../protocol/frames.ts';
import { encodeHeaders, parseJson } from '../protocol/wire.ts';
import type { Caller } from './client.ts';
import { contextOf } from './http-client.ts';

/** The Hub did not let a link open. */
export class UpgradeRefused extends Error {
  override readonly name = 'UpgradeRefused';
  /** HTTP */
  readonly status: number;

  constructor(status: number) {
    super(`the upgrade was refused with ${status}`);
    this.status = status;
  }
}

/** Headers over those of the caller; undefined leaves one out. */
export type HeaderChange = Readonly<Record<string, string | undefined>>;

/** A Hub's links, and what is open of them. */
export interface RoomLinks {
  /** Opens one and says nothing. Throws UpgradeRefused. */
  open(caller: Caller, change?: HeaderChange): Promise<RoomLink>;
  /** Opens one as clients do, who send their state at once. */
  listen(caller: Caller): Promise<RoomLink>;
  /** Closes what is open; throws if any link heard what no Hub may say. */
  closeAll(): Promise<void>;
}

/** For whatever has to come: an answer of the Hub, a frame, the end of a link. */
const patienceMs = 30_000;

const LegalFrame = z.discriminatedUnion('t', [
  z.strictObject(NotifyFrame.shape),
  z.strictObject(HubStateFrame.shape),
]);

/** @param url the Hub's address, http or https, without a slash at the end */
export function roomLinks(url: string): RoomLinks {
  const links = new Set<RoomLink>();
  const open: RoomLinks['open'] = async (caller, change = {}) => {
    const headers = { ...encodeHeaders(await contextOf(caller)), ...change };
    const link = new RoomLink(`${url.replace(/^http/, 'ws')}${linkPath}`, headers);
    await link.opened;
    links.add(link);
    return link;
  };
  return {
    open,
    async listen(caller) {
      const link = await open(caller);
      link.announce({ wakeable: true });
      return link;
    },
    async closeAll() {
      const all = [...links];
      links.clear();
      await Promise.all(all.map((link) => link.close()));
      for (const link of all) link.requireLegal();
    },
  };
}

/** One link and what it has heard. */
export class RoomLink {
  /** Frames of the Hub in the order they came. */
  readonly frames: HubFrame[] = [];
  /** What the Hub said, as it came. */
  readonly texts: string[] = [];
  /** Resolves when the Hub has let it in; rejects with UpgradeRefused. */
  readonly opened: Promise<void>;
  #pongs = 0;
  #closeCode: number | undefined;
  #illegal: string | undefined;
  readonly #changed = new EventEmitter();
  readonly #socket: WebSocket;

  constructor(url: string, headers: HeaderChange) {
    const given = Object.entries(headers).filter(([, value]) => value !== undefined);
    this.#socket = new WebSocket(url, {
      headers: Object.fromEntries(given),
      handshakeTimeout: patienceMs,
      perMessageDeflate: false,
    });
    this.#socket.on('message', (bytes, isBinary) => this.#hear(String(bytes), isBinary));
    this.#socket.on('close', (code) => {
      this.#closeCode = code;
      this.#changed.emit('change');
    });
    this.opened = this.#handshake();
  }

  #handshake(): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#socket.once('open', resolve);
      this.#socket.once('unexpected-response', (_request, { statusCode = 0 }) => {
        reject(new UpgradeRefused(statusCode));
        this.#socket.terminate();
      });
      this.#socket.on('error', reject);
    });
  }

  #hear(text: string, isBinary: boolean): void {
    this.texts.push(text);
    const frame = LegalFrame.safeParse(parseJson(text)).data;
    if (text === pong) this.#pongs += 1;
    else if (frame !== undefined) this.frames.push(frame);
    if (isBinary || (text !== pong && frame === undefined)) this.#illegal ??= text;
    this.#changed.emit('change');
  }

  /** Its frames, each once: a Hub may repeat how things stand, which changes nothing. */
  get news(): readonly HubFrame[] {
    return this.frames.filter(
      (frame, at) => this.frames.findIndex((it) => isDeepStrictEqual(it, frame)) === at,
    );
  }

  /** Throws if it heard anything that no Hub may say. */
  requireLegal(): void {
    assert.equal(this.#illegal, undefined, `not a frame of a Hub: ${this.#illegal}`);
  }

  get isOpen(): boolean {
    return this.#socket.readyState === WebSocket.OPEN;
  }

  /** Sends anything at all. */
  send(message: string | Uint8Array): void {
    this.#socket.send(message);
  }

  /** Sends a state frame. */
  announce(state: Omit<ClientStateFrame, 't'>): void {
    this.send(JSON.stringify({ t: 'state', ...state }));
  }

  /** Sends a ping and waits for one more pong than there were. */
  async ping(): Promise<void> {
    const before = this.#pongs;
    this.send(ping);
    await this.#until(ping, () => this.#pongs > before || undefined);
  }

  /** The first frame of that kind, also if it came before; fails if it does not come. */
  hears(what: string, isIt: (frame: HubFrame) => boolean): Promise<HubFrame> {
    return this.#until(what, () => this.frames.find(isIt));
  }

  /** The first notify frame that says so many unread messages, up to that position if given. */
  hearsOf(unread: number, upTo?: number): Promise<HubFrame> {
    const what = `notify of ${unread} up to ${upTo ?? 'anything'}`;
    return this.hears(
      what,
      (frame) =>
        frame.t === 'notify' &&
        frame.unread === unread &&
        (upTo === undefined || frame.upTo === upTo),
    );
  }

  /** Lets only what comes from now on be heard. */
  forget(): void {
    this.frames.length = 0;
  }

  /** Waits until it is closed, by whomever; gives the close code. */
  closes(): Promise<number> {
    return this.#until('end of the link', () => this.#closeCode);
  }

  /** Says goodbye and waits for the end. */
  async close(): Promise<void> {
    this.#socket.close();
    await this.closes();
  }

  async #until<Found>(what: string, look: () => Found | undefined): Promise<Found> {
    const signal = AbortSignal.timeout(patienceMs);
    for (;;) {
      this.requireLegal();
      const found = look();
      if (found !== undefined) return found;
      const heard = `it heard ${JSON.stringify(this.texts)}`;
      assert.equal(this.#closeCode, undefined, `no ${what} before the link was closed; ${heard}`);
      await once(this.#changed, 'change', { signal }).catch(() => {
        throw new Error(`no ${what} within ${patienceMs / 1_000} s; ${heard}`);
      });
    }
  }
}
