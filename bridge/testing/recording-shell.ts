// For tests: a host that can be made idle, busy or unable to start turns, and remembers its wakes.
import type { Shell } from '../shell.ts';

export class RecordingShell implements Shell {
  isIdle = true;
  isWakeable = true;
  /** Notices it was woken with, refused ones included. */
  readonly wakes: string[] = [];
  /** How many of the next wakes are refused. */
  refusals = 0;
  /** While set, a wake is answered only once this resolves. */
  answering: Promise<void> | undefined;

  readonly idle = () => this.isIdle;
  readonly wakeable = () => this.isWakeable;
  readonly unwakeable = () => 'The session has had no prompt yet.';

  readonly wake = async (notice: string) => {
    this.wakes.push(notice);
    await this.answering;
    if (this.refusals === 0) return;
    this.refusals -= 1;
    throw new Error('no rollout found');
  };
}
