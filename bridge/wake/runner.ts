// Runs the wake machine of one conversation: asks its shell, wakes it, tries again, and publishes
// what hooks may announce (protocol, section 5, "Wake machine").
import type { Unread } from '../../protocol/nouns.ts';
import type { Clock } from '../clock.ts';
import type { Run } from '../records.ts';
import type { Shell } from '../shell.ts';
import {
  type Boundary,
  initialWakeState,
  keyOf,
  noticeAt,
  noticeToWake,
  step,
  type WakeEvents,
  type WakeState,
} from './machine.ts';

export const wakeRetryDelaysMs: readonly number[] = [1_000, 3_000, 9_000];
/** A queued notice without any effect holds later ones back no longer than this. */
export const noticeLifetimeMs = 10 * 60_000;

export interface WakePorts {
  shell: Shell;
  clock: Clock;
  /** Takes each new state of the run file; a wake waits until it is written. Never rejects. */
  publish: (run: Run) => Promise<void>;
  /** Where hooks are processes of their own: whether one has announced this unread state. */
  isTaken?: ((key: string) => Promise<boolean>) | undefined;
  /** Whether turns can be started may have changed. */
  changed: () => void;
}

export class WakeRunner {
  readonly #ports: WakePorts;
  #state: WakeState = initialWakeState;
  #wakes: number;
  #published = '';
  /** Attempts of this round that failed. */
  #failures = 0;
  #cancelRetry: (() => void) | undefined;
  #cancelForgetting: (() => void) | undefined;
  #seen: { isIdle: boolean; isWakeable: boolean };
  #isStopped = false;
  #settling = Promise.resolve();

  /** `wakes` continues the counter of the run file. */
  constructor(ports: WakePorts, wakes: number) {
    this.#ports = ports;
    this.#wakes = wakes;
    this.#seen = { isIdle: ports.shell.idle(), isWakeable: ports.shell.wakeable() };
  }

  /** Why starting a turn failed for good; undefined if it did not. */
  get failure(): string | undefined {
    return this.#state.failed?.reason;
  }

  /** How many messages are unread, as far as this process knows; once stopped, it does not. */
  get unread(): number {
    if (this.#isStopped || keyOf(this.#state) === undefined) return 0;
    return this.#state.pending?.unread ?? 0;
  }

  notified(unread: Unread): void {
    this.#settle(() => this.#apply('notified', unread));
  }

  /** The shell may answer otherwise than before. */
  hostChanged(): void {
    this.#settle(() => this.#act());
  }

  /** Tells of the inbox tool. */
  inbox<Name extends 'inboxAsked' | 'inboxDropped' | 'inboxDelivered'>(
    name: Name,
    event: WakeEvents[Name],
  ): void {
    this.#apply(name, event);
  }

  /** The notice that this boundary carries, which then counts as announced. */
  takeNotice(boundary: Boundary): string | undefined {
    if (this.#isStopped) return undefined;
    this.#observe();
    const due = noticeAt(this.#state, boundary);
    if (due !== undefined) this.#apply('carried', due.key);
    return due?.text;
  }

  /** Announces nothing any more; resolves when what hooks have announced is known. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    this.#cancelRetry?.();
    this.#cancelForgetting?.();
    await this.#settling;
  }

  /** Where hooks announce by themselves, first learns what they did. */
  #settle(action: () => void): void {
    if (this.#ports.isTaken === undefined) action();
    else this.#settling = this.#settling.then(() => this.#noteTaken()).then(action);
  }

  async #noteTaken(): Promise<void> {
    const due = noticeAt(this.#state, 'end');
    if (due === undefined || this.#isStopped) return;
    if (await this.#ports.isTaken?.(due.key)) this.#step('carried', due.key);
  }

  #apply<Name extends keyof WakeEvents>(name: Name, event: WakeEvents[Name]): void {
    this.#step(name, event);
    this.#act();
  }

  #step<Name extends keyof WakeEvents>(name: Name, event: WakeEvents[Name]): void {
    if (this.#isStopped) return;
    const before = this.#state;
    this.#state = step(before, name, event);
    const { outstanding } = this.#state;
    if (outstanding === before.outstanding) return;
    this.#cancelForgetting?.();
    this.#cancelForgetting = undefined;
    if (outstanding === undefined) return;
    this.#cancelForgetting = this.#ports.clock.after(noticeLifetimeMs, () => {
      this.#apply('noticeForgotten', undefined);
    });
  }

  /** Takes note of turns that began or ended, and of what the host can do now. */
  #observe(): void {
    const { shell } = this.#ports;
    const seen = { isIdle: shell.idle(), isWakeable: shell.wakeable() };
    const before = this.#seen;
    this.#seen = seen;
    if (seen.isIdle !== before.isIdle) {
      this.#step(seen.isIdle ? 'turnEnded' : 'turnBegan', undefined);
    } else if (seen.isWakeable === before.isWakeable) return;
    this.#step('hostChanged', undefined);
  }

  #act(): void {
    if (this.#isStopped) return;
    this.#observe();
    const due = noticeToWake(this.#state);
    if (due === undefined && this.#state.waking === undefined) this.#endRound();
    if (due === undefined || this.#cancelRetry !== undefined) void this.#publish();
    else if (this.#seen.isIdle && this.#seen.isWakeable) void this.#wake();
    else void this.#publish();
    this.#ports.changed();
  }

  #endRound(): void {
    this.#failures = 0;
    this.#cancelRetry?.();
    this.#cancelRetry = undefined;
  }

  async #wake(): Promise<void> {
    const due = noticeToWake(this.#state);
    if (due === undefined) return;
    this.#step('wakeCalled', due);
    this.#wakes += 1;
    await this.#publish();
    if (!this.#mayStillWake()) return;
    try {
      await this.#ports.shell.wake(due.text);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      this.#wakeRefused(due.key, reason);
      return;
    }
    this.#endRound();
    this.#apply('wakeTaken', undefined);
  }

  /** Publishing took a moment, in which a turn may have begun or the inbox been read. */
  #mayStillWake(): boolean {
    if (this.#isStopped) return false;
    this.#observe();
    const { isIdle, isWakeable } = this.#seen;
    if (isIdle && isWakeable && this.#state.waking?.isVoid === false) return true;
    this.#apply('wakeRefused', undefined);
    return false;
  }

  #wakeRefused(key: string, reason: string): void {
    this.#step('wakeRefused', undefined);
    if (this.#isStopped) return;
    const delayMs = wakeRetryDelaysMs[this.#failures];
    this.#failures += 1;
    if (delayMs === undefined) {
      this.#endRound();
      this.#apply('wakeFailed', { key, reason });
      return;
    }
    this.#cancelRetry = this.#ports.clock.after(delayMs, () => {
      this.#cancelRetry = undefined;
      this.#settle(() => this.#act());
    });
    this.#act();
  }

  async #publish(): Promise<void> {
    const run = runOf(this.#state, this.#wakes);
    const text = JSON.stringify(run);
    if (text === this.#published || this.#isStopped) return;
    this.#published = text;
    await this.#ports.publish(run);
  }
}

/** The face of a state that processes beside this one see. */
function runOf(state: WakeState, wakes: number): Run {
  const key = keyOf(state) ?? '';
  const due = state.waking ?? noticeAt(state, 'end');
  return {
    unread: key === '' ? 0 : (state.pending?.unread ?? 0),
    upTo: key === '' ? 0 : (state.pending?.upTo ?? 0),
    key: due?.key ?? key,
    notice: due?.text ?? '',
    atTurnEnd: due?.key !== (state.waking ?? noticeAt(state, 'tool'))?.key,
    wakes,
  };
}
