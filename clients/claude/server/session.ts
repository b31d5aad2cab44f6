// Which conversation the process of Claude Code shows, and its bridge. Hooks know for sure and say
// it in the session file; the ID in the environment is that of the start.

import { nodeFiles } from '../../../bridge/node/files/file-access.ts';
import { Bindings, createNodeBridge } from '../../../bridge/node/index.ts';
import { HubError } from '../../../protocol/errors.ts';
import { ConversationId } from '../../../protocol/ids.ts';
import { renderError } from '../../../protocol/render/errors.ts';
import type { Resolution } from '../../mcp/serve.ts';
import { conversationFiles, host, processFiles } from '../files.ts';
import { ClaudeShell } from './shell.ts';
import { readSession } from './signs.ts';

const lookEveryMs = 250;

export interface SessionOptions {
  home: string;
  /** Process ID of Claude Code. */
  pid: number;
  /** The conversation for which this process was started, if Claude Code said so. */
  spawnedFor: string | undefined;
  /** The project's folder. */
  folder: string;
}

export class Session {
  readonly #options: SessionOptions;
  readonly #bindings: Bindings;
  /** Empty for none. */
  #conversation = '';
  /** Of the conversation that was bound last. */
  #shell: ClaudeShell | undefined;
  #looks: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: SessionOptions) {
    const { home, pid, folder } = options;
    this.#options = options;
    this.#bindings = new Bindings((conversation) => {
      const shell = new ClaudeShell({ home, conversation, pid });
      this.#shell = shell;
      return createNodeBridge({
        ...{ host, conversation, home, shell },
        folder: () => folder,
        hooksAreProcesses: true,
      });
    });
  }

  /** Comes online if the conversation has joined a room, and follows the session from then on. */
  start(): void {
    this.#timer = setInterval(() => void this.#look(), lookEveryMs);
    void this.#look();
  }

  /** The bridge for a tool call that comes now. */
  async resolve(): Promise<Resolution> {
    await this.#look();
    if (this.#conversation === '') return { refusal: nameless() };
    return { bridge: this.#bindings.bind(this.#conversation) };
  }

  /** Goes offline and takes the files of this process away. */
  async close(): Promise<void> {
    clearInterval(this.#timer);
    await this.#looks;
    await this.#bindings.dispose();
    const { home, pid } = this.#options;
    await nodeFiles.remove(processFiles(home, pid).session);
    if (this.#conversation === '') return;
    await nodeFiles.remove(conversationFiles(home, this.#conversation).turn);
  }

  #spawnedFor(): string {
    return ConversationId.safeParse(this.#options.spawnedFor).data ?? '';
  }

  /** One look after the other, so that the last one asked for sees the newest. */
  #look(): Promise<void> {
    this.#looks = this.#looks.then(() => this.#lookOnce());
    return this.#looks;
  }

  async #lookOnce(): Promise<void> {
    const { home, pid } = this.#options;
    const shown = await readSession(processFiles(home, pid).session);
    // No file says nothing new: no hook has run yet, or the process is about to end.
    const conversation = shown ?? (this.#conversation || this.#spawnedFor());
    if (conversation !== this.#conversation) {
      const former = this.#conversation;
      this.#conversation = conversation;
      if (former !== '') await this.#bindings.release(former);
    }
    if (conversation === '') return;
    const bridge = this.#bindings.bind(conversation);
    if (this.#shell?.hasNews()) bridge.changed();
  }
}

function nameless() {
  const error = new HubError('not_in_room', 'Claude Code does not say which conversation this is');
  const text = renderError(error, { nowMs: Date.now() });
  return { text, isError: true, delivered: () => Promise.resolve() };
}
