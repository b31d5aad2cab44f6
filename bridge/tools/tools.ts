// The agent's tools, performed for one conversation (protocol, section 4).
import { HubError } from '../../protocol/errors.ts';
import { formatRoomCode, type IdPrefix, mintId } from '../../protocol/ids.ts';
import type { Workspace } from '../../protocol/nouns.ts';
import type { OperationResult } from '../../protocol/operations/index.ts';
import { mintNonce } from '../../protocol/render/envelope.ts';
import { renderLogin } from '../../protocol/render/login.ts';
import {
  type HereContext,
  type ResultContext,
  renderResult,
} from '../../protocol/render/results.ts';
import { toolRequest } from '../../protocol/tool-requests.ts';
import {
  isToolName,
  type OperationTool,
  parseToolInput,
  type ToolInput,
  tools,
} from '../../protocol/tools.ts';
import type { Clock } from '../clock.ts';
import { type ConversationHub, isRefusal } from '../hub/conversation-hub.ts';
import type { Random } from '../random.ts';
import type { Marker } from '../records.ts';
import type { Inbox } from './inbox.ts';
import type { DeviceLogin } from './login.ts';
import { Repeats } from './repeats.ts';
import { type ToolResult, toolError, toolResult } from './result.ts';

/** The conversation's stay in a room, as tools see and change it. */
export interface Membership {
  marker: () => Marker | undefined;
  inbox: () => Inbox | undefined;
  here: () => HereContext | undefined;
  entered: (marker: Marker) => Promise<void>;
  /** The member is the same, what is known of it is not. */
  changed: (change: Partial<Marker>) => Promise<void>;
  /** The conversation is in that room no longer. */
  left: (room: string) => Promise<void>;
}

export interface ToolPorts {
  hub: ConversationHub;
  membership: Membership;
  login: DeviceLogin;
  workspace: () => Promise<Workspace>;
  clock: Clock;
  random: Random;
}

/** Only join says where a conversation works, so only then it is read. */
const nowhere: Workspace = { repo: '', branch: '' };

type Effects = {
  readonly [Name in OperationTool]?: (
    membership: Membership,
    result: OperationResult<Name>,
    input: ToolInput<Name>,
  ) => Promise<void>;
};

/** What a successful call changes here. */
const effects: Effects = {
  join: (membership, { room, member }, { room: code }) =>
    membership.entered({
      room: room.id,
      roomName: room.name,
      code: formatRoomCode(code),
      member,
    }),
  update_room: (membership, { name, code }) =>
    membership.changed({ roomName: name, ...(code !== undefined && { code }) }),
  rename: (membership, { member }) => membership.changed({ member }),
  leave: (membership) => membership.left(membership.marker()?.room ?? ''),
};

function notJoined(): HubError {
  return new HubError('not_in_room', 'this conversation has not joined a room');
}

export class Tools {
  readonly #ports: ToolPorts;
  readonly #repeats = new Repeats();

  constructor(ports: ToolPorts) {
    this.#ports = ports;
  }

  /** Performs a tool call by its bare name; every failure is a result, never a rejection. */
  async call(name: string, args: unknown): Promise<ToolResult> {
    const room = this.#ports.membership.marker()?.room;
    try {
      if (!isToolName(name)) throw new HubError('invalid_input', 'there is no such tool');
      if (name === 'login') return toolResult(renderLogin(await this.#login(args)));
      if (name === 'inbox') return await this.#inbox();
      return toolResult(await this.#perform(name, parseToolInput(name, args)));
    } catch (error) {
      if (room !== undefined && isToolName(name) && tools[name].actsInRoom) {
        if (isRefusal(error, 'not_in_room')) await this.#ports.membership.left(room);
      }
      return toolError(error, { nowMs: this.#ports.clock.nowMs() });
    }
  }

  #login(args: unknown) {
    const { action } = parseToolInput('login', args);
    return action === 'start' ? this.#ports.login.start() : this.#ports.login.logout();
  }

  async #inbox(): Promise<ToolResult> {
    const inbox = this.#ports.membership.inbox();
    if (inbox === undefined) throw notJoined();
    const { result, delivered } = await inbox.next();
    return toolResult(renderResult('inbox', result, this.#context()), delivered);
  }

  async #perform<Name extends OperationTool>(name: Name, input: ToolInput<Name>): Promise<string> {
    const { hub, membership, workspace } = this.#ports;
    const room = membership.marker()?.room;
    if (tools[name].actsInRoom && room === undefined) throw notJoined();
    const call = JSON.stringify([room, name, input]);
    let id = this.#repeats.take(call);
    const newId = (prefix: IdPrefix) => {
      id ??= mintId(prefix, this.#ports.clock.nowMs(), this.#ports.random.bytes(10));
      return id;
    };
    const where = name === 'join' ? await workspace() : nowhere;
    const surroundings = { newId, room: room ?? '', workspace: where };
    try {
      const result = await hub(name, toolRequest(name, input, surroundings), { room });
      await effects[name]?.(membership, result, input);
      return renderResult(name, result, this.#context(input));
    } catch (error) {
      if (id !== undefined && isRefusal(error, 'unavailable')) this.#repeats.keep(call, id);
      throw error;
    }
  }

  #context(input: object = {}): ResultContext {
    const { clock, random, membership } = this.#ports;
    const here = membership.here();
    return {
      nonce: mintNonce(random.bytes(6)),
      nowMs: clock.nowMs(),
      ...('room' in input && typeof input.room === 'string' && { roomCode: input.room }),
      ...(here !== undefined && { here }),
    };
  }
}
