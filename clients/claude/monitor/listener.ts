// Watches the run file of the conversation that the session shows, and prints its notice when the
// bridge wants a turn (docs/bridge.md, "Files").
import { nodeFiles } from '../../../bridge/node/files/file-access.ts';
import { readRun, takeHookNotice } from '../../../bridge/node/files/hook-notice.ts';
import { host, processFiles } from '../files.ts';
import { leaseRenewalMs } from '../lease.ts';
import { plainLine } from '../plain-line.ts';

export interface ListenerOptions {
  home: string;
  /** Processes of which one is Claude Code: the one that has a session file. */
  candidates: readonly number[];
  /** Takes one line. */
  print: (line: string) => void;
}

export class Listener {
  readonly #options: ListenerOptions;
  #conversation = '';
  /** Of the conversation: the counter of the run file that has been dealt with. */
  #wakes = 0;
  #owner: number | undefined;
  #lease: string | undefined;
  #renewedMs = 0;

  constructor(options: ListenerOptions) {
    this.#options = options;
  }

  /** The process ID of Claude Code, once it is known. */
  get owner(): number | undefined {
    return this.#owner;
  }

  /** One look; prints at most one line. */
  async look(): Promise<void> {
    const shown = await this.#shown();
    if (shown === undefined) return;
    await this.#listen(shown.conversation);
    // After the first look at the counter: whoever sees the lease may count on being seen.
    await this.#renew(shown.lease);
  }

  /** Says that nobody listens any more. */
  async close(): Promise<void> {
    if (this.#lease !== undefined) await nodeFiles.remove(this.#lease);
  }

  /** The conversation of the session; undefined until a hook has named one. */
  async #shown(): Promise<{ conversation: string; lease: string } | undefined> {
    for (const pid of this.#options.candidates) {
      const { session, lease } = processFiles(this.#options.home, pid);
      const conversation = await nodeFiles.read(session).catch(() => undefined);
      if (conversation === undefined) continue;
      this.#owner = pid;
      return { conversation, lease };
    }
    return undefined;
  }

  async #listen(conversation: string): Promise<void> {
    if (conversation === '') return;
    const place = { home: this.#options.home, conversation: { host, conversation } } as const;
    const wakes = (await readRun(place))?.wakes ?? 0;
    const isSame = conversation === this.#conversation;
    const isAsked = isSame && wakes > this.#wakes;
    this.#conversation = conversation;
    this.#wakes = wakes;
    if (!isAsked) return;
    const notice = await takeHookNotice(place, 'wake');
    if (notice !== undefined) this.#options.print(plainLine(notice));
  }

  async #renew(lease: string): Promise<void> {
    const nowMs = Date.now();
    if (lease === this.#lease && nowMs - this.#renewedMs < leaseRenewalMs) return;
    this.#lease = lease;
    this.#renewedMs = nowMs;
    await nodeFiles.write(lease, '').catch(() => {});
  }
}
