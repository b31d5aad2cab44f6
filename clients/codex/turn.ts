// Whether a turn runs, from the signs of it that reach the plugin.
import type { Clock } from '../../bridge/index.ts';

/** A turn that fails tells no hook: after that long without a sign of it, it counts as over. */
export const turnSilenceMs = 10 * 60_000;

export class Turn {
  readonly #clock: Clock;
  readonly #forgotten: () => void;
  #cancelForgetting: (() => void) | undefined;

  /** `forgotten` is called when a turn has been silent for so long that it counts as over. */
  constructor(clock: Clock, forgotten: () => void) {
    this.#clock = clock;
    this.#forgotten = forgotten;
  }

  get isRunning(): boolean {
    return this.#cancelForgetting !== undefined;
  }

  /** A sign that a turn runs. */
  heard(): void {
    this.ended();
    this.#cancelForgetting = this.#clock.after(turnSilenceMs, () => {
      this.#cancelForgetting = undefined;
      this.#forgotten();
    });
  }

  ended(): void {
    this.#cancelForgetting?.();
    this.#cancelForgetting = undefined;
  }
}
