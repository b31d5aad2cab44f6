// A conversation's stay in one room: its link, what it is told of its mail, and its inbox.

import { HubError, httpStatusOf } from '../protocol/errors.ts';
import { type ClientStateFrame, type LinkEnd, linkPath } from '../protocol/frames.ts';
import { limits } from '../protocol/limits.ts';
import { type CallingConversation, encodeHeaders } from '../protocol/wire.ts';
import type { Clock } from './clock.ts';
import type { ConversationHub } from './hub/conversation-hub.ts';
import { RoomLink } from './link/room-link.ts';
import type { LinkTarget, OpenSocket } from './link/socket.ts';
import type { Random } from './random.ts';
import type { Marker, Run } from './records.ts';
import type { Shell } from './shell.ts';
import type { Store } from './store.ts';
import { Inbox } from './tools/inbox.ts';
import { unreachable } from './unreachable.ts';
import { WakeRunner } from './wake/runner.ts';

export interface StayPorts {
  conversation: CallingConversation;
  hub: ConversationHub;
  store: Store;
  shell: Shell;
  openSocket: OpenSocket;
  clock: Clock;
  random: Random;
  /** Whether hooks are processes of their own that announce by the run file. */
  hooksAreProcesses: boolean;
  published: (run: Run) => void;
  /** The Hub says that the conversation is in this room no longer. */
  left: () => void;
}

export class Stay {
  marker: Marker;
  readonly wake: WakeRunner;
  readonly inbox: Inbox;
  readonly #ports: StayPorts;
  #link: RoomLink | undefined;
  #linkEnd: LinkEnd | undefined;
  #isEnded = false;
  /** The token with which the link was last opened. */
  #token: string | undefined;

  constructor(ports: StayPorts, marker: Marker, wakes: number) {
    const { hub, store, shell, clock, hooksAreProcesses, published } = ports;
    this.#ports = ports;
    this.marker = marker;
    this.wake = new WakeRunner(
      {
        shell,
        clock,
        publish: (run) => {
          published(run);
          return store.writeRun(run);
        },
        ...(hooksAreProcesses && { isTaken: store.isTaken }),
        changed: () => this.#link?.announce(),
      },
      wakes,
    );
    this.inbox = new Inbox({ hub, clock, room: marker.room, wake: this.wake });
  }

  /** Comes online, and does again after a sign-in; nothing happens while the link lasts. */
  async connect(): Promise<void> {
    if (this.#link !== undefined && this.#linkEnd !== 'revoked') return;
    if (this.#linkEnd === 'revoked' && (await this.#session())?.token === this.#token) return;
    // Also one that another call opened meanwhile: there is never more than one.
    await this.#link?.close();
    if (this.#isEnded) return;
    this.#linkEnd = undefined;
    this.#link = new RoomLink({
      ...this.#ports,
      target: () => this.#target(),
      refusalStatus: () => this.#refusalStatus(),
      state: () => this.#state(),
      notified: (unread) => this.wake.notified(unread),
      ended: (end) => this.#ended(end),
    });
    this.wake.hostChanged();
  }

  /** Why no notice reaches the conversation now; undefined if one does. */
  get unreachable(): string | undefined {
    return unreachable({
      end: this.#linkEnd,
      link: this.#link,
      failure: this.wake.failure,
      shell: this.#ports.shell,
    });
  }

  /** Whether another process of this conversation has taken over. */
  get isSuperseded(): boolean {
    return this.#linkEnd === 'superseded';
  }

  /** Whether it goes on by itself, or would after a sign-in. */
  get isOver(): boolean {
    return this.#linkEnd !== undefined && this.#linkEnd !== 'revoked';
  }

  /** Goes offline for good; resolves once no socket and no timer is left. */
  async end(): Promise<void> {
    this.#isEnded = true;
    this.inbox.stop();
    await Promise.all([this.wake.stop(), this.#link?.close()]);
  }

  /** Goes offline because the device was signed out. */
  async signedOut(): Promise<void> {
    this.#linkEnd = 'revoked';
    this.#token = undefined;
    await this.#link?.close();
  }

  async #session() {
    return await this.#ports.store.session().catch(() => undefined);
  }

  async #target(): Promise<LinkTarget | undefined> {
    const session = await this.#session();
    this.#token = session?.token;
    if (session?.token === undefined) return undefined;
    const { token, hub } = session;
    const { conversation: caller } = this.#ports;
    return {
      url: `${hub.replace(/^http/, 'ws')}${linkPath}`,
      headers: encodeHeaders({ token, room: this.marker.room, caller }),
    };
  }

  /** Asks by a call that changes nothing and is checked like the link. */
  async #refusalStatus(): Promise<number | undefined> {
    try {
      await this.#ports.hub('read', { upTo: 0 }, { room: this.marker.room, isRepeated: false });
      return undefined;
    } catch (error) {
      return error instanceof HubError ? httpStatusOf[error.code] : undefined;
    }
  }

  #state(): ClientStateFrame {
    const { shell } = this.#ports;
    const { failure } = this.wake;
    const wakeable = failure === undefined && shell.wakeable();
    const reason = wakeable ? undefined : (failure ?? shell.unwakeable?.());
    return {
      t: 'state',
      wakeable,
      busy: !shell.idle(),
      ...(reason !== undefined && {
        reason: firstCharacters(reason, limits.stateReasonCharacters),
      }),
    };
  }

  #ended(end: LinkEnd): void {
    this.#linkEnd = end;
    if (end === 'superseded') void this.wake.stop();
    else if (end !== 'revoked') this.#ports.left();
  }
}

function firstCharacters(text: string, count: number): string {
  return Array.from(text).slice(0, count).join('');
}
