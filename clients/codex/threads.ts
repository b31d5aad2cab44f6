// The threads whose calls reach this process. Codex starts one process per thread; which one it is,
// only the calls tell.
import { subagentRefusal, type ToolResult } from '../../bridge/index.ts';
import { hookCaller, toolCaller } from './caller.ts';
import { CodexConversation, type ConversationPorts } from './conversation.ts';

/** What comes with a call: the arguments, and the `_meta` of Codex. */
export interface Call {
  args: unknown;
  meta: unknown;
}

export class CodexThreads {
  readonly #ports: ConversationPorts;
  readonly #conversations = new Map<string, CodexConversation>();

  constructor(ports: ConversationPorts) {
    this.#ports = ports;
  }

  /** Performs a tool call of the model; subagents are refused and bind nothing. */
  async call(tool: string, { args, meta }: Call): Promise<ToolResult> {
    const caller = toolCaller(meta);
    if (caller === undefined) return subagentRefusal();
    return await this.#bind(caller.thread).call(tool, args, caller.isOneShot);
  }

  /** Performs a call of the hook tool; gives what the hook prints, which is nothing for others. */
  async hook({ args, meta }: Call): Promise<string> {
    const caller = hookCaller(meta, args);
    return caller === undefined ? '{}' : await this.#bind(caller.thread).hook(caller);
  }

  async dispose(): Promise<void> {
    const conversations = [...this.#conversations.values()];
    this.#conversations.clear();
    await Promise.all(conversations.map((conversation) => conversation.dispose()));
  }

  #bind(thread: string): CodexConversation {
    const conversation =
      this.#conversations.get(thread) ?? new CodexConversation(thread, this.#ports);
    this.#conversations.set(thread, conversation);
    return conversation;
  }
}
