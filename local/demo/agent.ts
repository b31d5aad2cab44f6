// One conversation of the demo: it calls tools as an agent does, reads what an agent reads, and
// holds the room link over which notices come.
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { WebSocket } from 'ws';
import { decodeHubFrame, linkPath, type NotifyFrame } from '../../protocol/frames.ts';
import { mintId } from '../../protocol/ids.ts';
import type { HostKind, Workspace } from '../../protocol/nouns.ts';
import type {
  OperationName,
  OperationRequest,
  OperationResult,
} from '../../protocol/operations/index.ts';
import { mintNonce } from '../../protocol/render/envelope.ts';
import { renderResult } from '../../protocol/render/results.ts';
import { toolRequest } from '../../protocol/tool-requests.ts';
import type { OperationTool, ToolInput } from '../../protocol/tools.ts';
import {
  type CallContext,
  decodeReply,
  encodeHeaders,
  encodeRequest,
} from '../../protocol/wire.ts';

const timeoutMs = 15_000;

/** Calls an operation; throws its refusal. */
export async function callHub<Name extends OperationName>(
  hub: string,
  operation: Name,
  context: CallContext,
  input: OperationRequest<Name>,
): Promise<OperationResult<Name>> {
  const { path, headers, body } = encodeRequest(operation, input, context);
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(`${hub}${path}`, { method: 'POST', headers, body, signal });
  return decodeReply(operation, response.status, await response.text());
}

export interface AgentOptions {
  readonly hub: string;
  readonly token: string;
  readonly host: HostKind;
  readonly workspace: Workspace;
}

/** A tool's result: what the Hub said, and how the agent reads it. */
export interface Reading<Name extends OperationTool> {
  readonly result: OperationResult<Name>;
  readonly text: string;
}

export class Agent {
  readonly #options: AgentOptions;
  readonly #caller: NonNullable<CallContext['caller']>;
  #room = '';
  #link: WebSocket | undefined;
  #notified: NotifyFrame | undefined;

  constructor(options: AgentOptions) {
    this.#options = options;
    const conversation = `demo-${randomBytes(6).toString('hex')}`;
    this.#caller = { host: options.host, conversation };
  }

  /** Calls a tool with the arguments a model gives. */
  async call<Name extends OperationTool>(
    name: Name,
    args: ToolInput<Name>,
  ): Promise<Reading<Name>> {
    const request = toolRequest(name, args, {
      newId: (prefix) => mintId(prefix, Date.now(), randomBytes(10)),
      workspace: this.#options.workspace,
      room: this.#room,
    });
    const result = await this.#call(name, request);
    const nonce = mintNonce(randomBytes(6));
    return { result, text: renderResult(name, result, { nonce, nowMs: Date.now() }) };
  }

  /** Joins, opens the room link, and says that notices can start a turn. */
  async join(args: ToolInput<'join'>): Promise<Reading<'join'>> {
    const joined = await this.call('join', args);
    this.#room = joined.result.room.id;
    const link = new WebSocket(`${this.#options.hub.replace('http', 'ws')}${linkPath}`, {
      headers: encodeHeaders(this.#context()),
    });
    this.#link = link;
    link.on('message', (bytes) => {
      const frame = decodeHubFrame(String(bytes));
      if (frame?.t !== 'notify') return;
      this.#notified = frame;
      link.emit('notified');
    });
    await once(link, 'open', { signal: AbortSignal.timeout(timeoutMs) });
    link.send(JSON.stringify({ t: 'state', wakeable: true, busy: false }));
    return joined;
  }

  /** Reads a batch, and marks it read once it stands in the result, as a bridge does. */
  async readInbox(): Promise<Reading<'inbox'>> {
    const batch = await this.call('inbox', {});
    await this.#call('read', { upTo: batch.result.upTo });
    return batch;
  }

  /** The notice's frame about everything up to this message. */
  async notified(seq: number): Promise<NotifyFrame> {
    const signal = AbortSignal.timeout(timeoutMs);
    for (;;) {
      if (this.#notified !== undefined && this.#notified.upTo >= seq) return this.#notified;
      if (this.#link === undefined) throw new Error('this agent has not joined');
      await once(this.#link, 'notified', { signal });
    }
  }

  close(): void {
    this.#link?.terminate();
  }

  #context(): CallContext {
    const { token } = this.#options;
    return { token, caller: this.#caller, ...(this.#room !== '' && { room: this.#room }) };
  }

  #call<Name extends OperationName>(operation: Name, input: OperationRequest<Name>) {
    return callHub(this.#options.hub, operation, this.#context(), input);
  }
}
