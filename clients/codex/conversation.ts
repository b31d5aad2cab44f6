// One Codex thread: its bridge, what its hooks say of its turns, and how it is woken.
import type { Bridge, Clock, Shell, ToolResult } from '../../bridge/index.ts';
import type { HookCaller } from './caller.ts';
import { hookEvent, isHookEventName } from './hooks.ts';
import { Turn } from './turn.ts';

export interface ConversationPorts {
  clock: Clock;
  /** Stores a prompt for a thread; rejects with a reason. */
  queue: (thread: string, prompt: string) => Promise<void>;
  /** `folder` is where the thread works, undefined while no hook has told. */
  createBridge: (about: {
    thread: string;
    shell: Shell;
    folder: () => string | undefined;
  }) => Bridge;
}

const oneShot = 'this is a single run of codex exec, which ends with its answer.';

/** Codex skips hooks that nobody has reviewed, also after each update, and says nothing. */
const untrustedHooks =
  "Codex has not run this plugin's hooks. Your owner can type /hooks in Codex and trust those of " +
  'tandry; again after an update of the plugin.';

/** Codex keeps what is queued after that until its owner has had a turn. */
const interrupted =
  'its owner interrupted it, and Codex starts nothing by itself until they go on.';

const nothing = JSON.stringify({});

export class CodexConversation {
  readonly #turn: Turn;
  readonly #bridge: Bridge;
  #cwd: string | undefined;
  #isOneShot = false;
  #isInterrupted = false;

  constructor(thread: string, { clock, queue, createBridge }: ConversationPorts) {
    this.#turn = new Turn(clock, () => this.#bridge.changed());
    const shell: Shell = {
      idle: () => !this.#turn.isRunning,
      wakeable: () => this.#obstacle === undefined,
      unwakeable: () => this.#obstacle ?? '',
      wake: (notice) => queue(thread, notice),
    };
    this.#bridge = createBridge({ thread, shell, folder: () => this.#cwd });
  }

  /** A hook runs; gives what it prints. */
  async hook({ event, cwd }: HookCaller): Promise<string> {
    if (!isHookEventName(event)) return nothing;
    this.#cwd = cwd;
    const { boundary, output } = hookEvent(event);
    this.#isInterrupted = boundary === undefined;
    if (boundary !== undefined) this.#turn.heard();
    await this.#bridge.start();
    const notice = boundary && this.#bridge.takeNotice(boundary);
    // A turn that is told something at its end goes on with it, and ends later.
    const isOver = boundary === undefined || (boundary === 'end' && notice === undefined);
    if (isOver) this.#turn.ended();
    this.#bridge.changed();
    return notice === undefined ? nothing : JSON.stringify(output(notice));
  }

  /** The model calls a tool. */
  async call(tool: string, args: unknown, isOneShot: boolean): Promise<ToolResult> {
    this.#isOneShot = isOneShot;
    this.#isInterrupted = false;
    this.#turn.heard();
    const result = await this.#bridge.call(tool, args);
    const isUntold = tool === 'join' && !result.isError && this.#obstacle !== undefined;
    // Status tells it by itself; at a join the connection is only being opened.
    return isUntold
      ? { ...result, text: `${result.text}\n\nNotices will not reach it: ${this.#obstacle}` }
      : result;
  }

  async dispose(): Promise<void> {
    this.#turn.ended();
    await this.#bridge.dispose();
  }

  /** Why no turn can be started here, in one sentence; undefined if one can. */
  get #obstacle(): string | undefined {
    if (this.#isOneShot) return oneShot;
    if (this.#cwd === undefined) return untrustedHooks;
    return this.#isInterrupted ? interrupted : undefined;
  }
}
