// One bridge serves one conversation: its tools, its link, its notices (protocol, section 5).
import { ConversationId } from '../protocol/ids.ts';
import type { HostKind, Workspace } from '../protocol/nouns.ts';
import { parseOrRefuse } from '../protocol/parse.ts';
import type { Clock } from './clock.ts';
import { createConversationHub } from './hub/conversation-hub.ts';
import type { Http } from './hub/http.ts';
import { createHubClient } from './hub/hub-client.ts';
import type { OpenSocket } from './link/socket.ts';
import type { Random } from './random.ts';
import type { Marker, Run } from './records.ts';
import type { Shell } from './shell.ts';
import { Stay } from './stay.ts';
import type { Store } from './store.ts';
import { DeviceLogin } from './tools/login.ts';
import type { ToolResult } from './tools/result.ts';
import { type Membership, Tools } from './tools/tools.ts';
import type { Boundary } from './wake/machine.ts';

export interface BridgeOptions {
  host: HostKind;
  /** The host's own conversation ID, never guessed. */
  conversation: string;
  shell: Shell;
  workspace: () => Promise<Workspace>;
  /** How this device is called on the website when it signs in, at most 100 characters. */
  deviceLabel: string;
  /** Whether the host's hooks are processes of their own, which announce by the run file. */
  hooksAreProcesses?: boolean;
}

/** What the bridge needs of its runtime. */
export interface BridgePorts {
  http: Http;
  openSocket: OpenSocket;
  store: Store;
  clock: Clock;
  random: Random;
  /** Releases what the ports hold, such as connections kept open; called last. */
  release?: () => void;
}

export interface BridgeStatus {
  /** The room of this conversation, if it is in one. */
  room?: { name: string; member: string };
  /** Unread messages, as far as this process knows. */
  unread: number;
  /** Why notices do not reach this conversation; absent if they do, or if it is in no room. */
  unreachable?: string;
}

export interface Bridge {
  /** Comes online if the conversation has joined a room; repeating it changes nothing. */
  start: () => Promise<void>;
  /** Performs one of the agent's tools by its bare name; never rejects. */
  call: (tool: string, args: unknown) => Promise<ToolResult>;
  /** To be called whenever the shell may answer otherwise: a turn began, ended, a window opened. */
  changed: () => void;
  /** The notice that a boundary of the running turn carries now, which then counts as given. */
  takeNotice: (boundary: Boundary) => string | undefined;
  status: () => BridgeStatus;
  /** Tells when the notice that may be given changes; undefined: there is none. Returns its end. */
  onNotice: (listener: (notice: string | undefined) => void) => () => void;
  /** Goes offline; resolves once no timer and no socket is left. Later calls fail politely. */
  dispose: () => Promise<void>;
}

/** Makes the bridge of a conversation. Opens and reads nothing before `start` or a tool call. */
export function createBridge(options: BridgeOptions, ports: BridgePorts): Bridge {
  return new ConversationBridge(options, ports);
}

class ConversationBridge implements Bridge {
  readonly #options: BridgeOptions;
  readonly #ports: BridgePorts;
  readonly #client: ReturnType<typeof createHubClient>;
  readonly #hub: ReturnType<typeof createConversationHub>;
  readonly #login: DeviceLogin;
  readonly #tools: Tools;
  readonly #listeners = new Set<(notice: string | undefined) => void>();
  #notice: string | undefined;
  #stay: Stay | undefined;
  #started: Promise<void> | undefined;
  /** Entering and leaving, one after the other: a late leave must not undo the join after it. */
  #moves: Promise<void> = Promise.resolve();
  #isDisposed = false;

  constructor(options: BridgeOptions, ports: BridgePorts) {
    const conversation = parseOrRefuse(ConversationId, options.conversation);
    const { store, clock } = ports;
    this.#options = options;
    this.#ports = ports;
    this.#client = createHubClient(ports);
    this.#hub = createConversationHub(this.#client, store, { host: options.host, conversation });
    this.#login = new DeviceLogin({
      hub: this.#hub,
      store,
      clock,
      label: options.deviceLabel,
      signedIn: () => void this.#stay?.connect(),
      signedOut: async () => await this.#stay?.signedOut(),
    });
    this.#tools = new Tools({
      ...ports,
      hub: this.#hub,
      login: this.#login,
      membership: this.#membership(),
      workspace: options.workspace,
    });
  }

  start(): Promise<void> {
    this.#started ??= this.#move(async () => {
      const marker = await this.#ports.store.readMarker();
      if (marker !== undefined) await this.#enter(marker);
    });
    return this.#started;
  }

  async call(tool: string, args: unknown): Promise<ToolResult> {
    await this.start();
    await this.#stay?.connect();
    this.changed();
    return await this.#tools.call(tool, args);
  }

  changed(): void {
    this.#stay?.wake.hostChanged();
  }

  takeNotice(boundary: Boundary): string | undefined {
    return this.#stay?.wake.takeNotice(boundary);
  }

  status(): BridgeStatus {
    if (this.#stay === undefined) return { unread: 0 };
    const { marker, wake, unreachable } = this.#stay;
    return {
      room: { name: marker.roomName, member: marker.member },
      unread: wake.unread,
      ...(unreachable !== undefined && { unreachable }),
    };
  }

  onNotice(listener: (notice: string | undefined) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  async dispose(): Promise<void> {
    this.#isDisposed = true;
    this.#client.dispose();
    await this.#login.stop();
    await this.#move(() => this.#endStay());
    this.#ports.release?.();
  }

  #move(action: () => Promise<void>): Promise<void> {
    const move = this.#moves.then(action);
    this.#moves = move.catch(() => {});
    return move;
  }

  async #enter(marker: Marker): Promise<void> {
    const { store } = this.#ports;
    await this.#endStay();
    const run = await store.readRun();
    // Of a process that was killed: this one announces anew.
    await store.forgetTaken();
    if (this.#isDisposed) return;
    const stay: Stay = new Stay(
      {
        ...this.#ports,
        conversation: { host: this.#options.host, conversation: this.#options.conversation },
        hub: this.#hub,
        shell: this.#options.shell,
        hooksAreProcesses: this.#options.hooksAreProcesses ?? false,
        published: (published) => this.#published(published),
        left: () => void this.#move(() => this.#left(stay)),
      },
      marker,
      run?.wakes ?? 0,
    );
    this.#stay = stay;
    await stay.connect();
  }

  async #left(stay: Stay): Promise<void> {
    if (stay !== this.#stay) return;
    await this.#endStay();
    await this.#ports.store.removeMarker();
  }

  /** The run file of a conversation that is open elsewhere too belongs to the other process. */
  async #endStay(): Promise<void> {
    const stay = this.#stay;
    if (stay === undefined) return;
    this.#stay = undefined;
    this.#notify(undefined);
    await stay.end();
    if (stay.isSuperseded) return;
    await this.#ports.store.removeRun();
    await this.#ports.store.forgetTaken();
  }

  #published({ notice }: Run): void {
    this.#notify(notice === '' ? undefined : notice);
  }

  #notify(notice: string | undefined): void {
    if (notice === this.#notice) return;
    this.#notice = notice;
    for (const listener of this.#listeners) listener(notice);
  }

  #membership(): Membership {
    const { store } = this.#ports;
    return {
      marker: () => this.#stay?.marker,
      inbox: () => this.#stay?.inbox,
      here: () => {
        const { room, unreachable } = this.status();
        if (room === undefined) return undefined;
        const { name: roomName, member } = room;
        return { roomName, member, ...(unreachable !== undefined && { unreachable }) };
      },
      entered: (marker) =>
        this.#move(async () => {
          await store.writeMarker(marker);
          const stay = this.#stay;
          if (stay?.marker.room === marker.room && !stay.isOver) stay.marker = marker;
          else await this.#enter(marker);
        }),
      changed: (change) =>
        this.#move(async () => {
          if (this.#stay === undefined) return;
          this.#stay.marker = { ...this.#stay.marker, ...change };
          await store.writeMarker(this.#stay.marker);
        }),
      left: (room) =>
        this.#move(async () => {
          if (this.#stay?.marker.room === room) await this.#left(this.#stay);
        }),
    };
  }
}
