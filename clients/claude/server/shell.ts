// Claude Code around one conversation, as the bridge sees it. A turn is started by the monitor: it
// prints the notice when the run file says so.
import { setTimeout as sleep } from 'node:timers/promises';
import {
  type HookOptions,
  isNoticeTaken,
  readRun,
  type Shell,
} from '../../../bridge/node/index.ts';
import { conversationFiles, host, processFiles } from '../files.ts';
import { readSigns, type SignFiles, type Signs } from './signs.ts';

const takenWithinMs = 5_000;
const lookEveryMs = 50;

export interface ShellOptions {
  home: string;
  conversation: string;
  /** Process ID of Claude Code. */
  pid: number;
}

export class ClaudeShell implements Shell {
  readonly #hook: HookOptions;
  readonly #files: SignFiles;
  /** What the bridge was told last; undefined until it asks. */
  #answered: Partial<Signs> = {};

  constructor({ home, conversation, pid }: ShellOptions) {
    this.#hook = { home, conversation: { host, conversation } };
    this.#files = { ...conversationFiles(home, conversation), ...processFiles(home, pid) };
  }

  idle(): boolean {
    return !this.#answer('isTurnRunning');
  }

  wakeable(): boolean {
    return this.#answer('isMonitored');
  }

  /** Whether it would answer otherwise than it did. */
  hasNews(): boolean {
    const signs = readSigns(this.#files);
    const { isTurnRunning = signs.isTurnRunning, isMonitored = signs.isMonitored } = this.#answered;
    return isTurnRunning !== signs.isTurnRunning || isMonitored !== signs.isMonitored;
  }

  unwakeable(): string {
    return (
      'nothing listens for mail while this session is idle. The skill tandry:join starts that in ' +
      'an interactive session; a one-shot run (claude -p) has no such thing.'
    );
  }

  /**
   * The bridge has published the notice before: this waits for the monitor, or a hook, to claim it.
   */
  async wake(): Promise<void> {
    const run = await readRun(this.#hook);
    const giveUpMs = Date.now() + takenWithinMs;
    while (run !== undefined && Date.now() < giveUpMs) {
      if (await isNoticeTaken(this.#hook, run.key)) return;
      await sleep(lookEveryMs);
    }
    throw new Error('the monitor of this session did not take the notice');
  }

  #answer(sign: keyof Signs): boolean {
    const answer = readSigns(this.#files)[sign];
    this.#answered[sign] = answer;
    return answer;
  }
}
