// The environments of one function: at most a few, one event at a time in each, the rest queued.
import { randomUUID } from 'node:crypto';
import { payloadLimitBytes } from './messages.ts';
import { failed, type Outcome } from './outcome.ts';
import { type Invocation, Sandbox, type SandboxEvents, type SandboxOptions } from './sandbox.ts';

export type PoolOptions = SandboxOptions & { maxEnvironments: number };

const stopping = failed('Runtime.ExitError', 'The stack is stopping');
const tooLarge = failed(
  'RequestEntityTooLargeException',
  `Request must be smaller than ${payloadLimitBytes} bytes`,
);

export class FunctionPool {
  readonly #options: PoolOptions;
  readonly #sandboxes = new Set<Sandbox>();
  readonly #queue: Invocation[] = [];
  #clockShiftMs: number;
  #isClosed = false;

  constructor(options: PoolOptions, clockShiftMs = 0) {
    this.#options = options;
    this.#clockShiftMs = clockShiftMs;
  }

  /** Process IDs of the environments that are up. */
  get pids(): number[] {
    return [...this.#sandboxes].flatMap(({ pid }) => pid ?? []);
  }

  /** How many events can be worked on at once. */
  get maxEnvironments(): number {
    return this.#options.maxEnvironments;
  }

  /** Gives the event (JSON) to the first free environment; never rejects. */
  invoke(event: string): Promise<Outcome> {
    if (Buffer.byteLength(event) > payloadLimitBytes) return Promise.resolve(tooLarge);
    if (this.#isClosed) return Promise.resolve(stopping);
    return new Promise((settle) => {
      this.#queue.push({ requestId: randomUUID(), event, settle });
      this.#pump();
    });
  }

  /** Moves the clock of every environment, those to come included. */
  setClockShift(shiftMs: number): void {
    this.#clockShiftMs = shiftMs;
    for (const sandbox of this.#sandboxes) sandbox.setClockShift(shiftMs);
  }

  /** Ends every environment as a crash would; queued events get fresh ones. */
  async kill(): Promise<void> {
    await Promise.all([...this.#sandboxes].map((sandbox) => sandbox.kill()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { settle } of this.#queue.splice(0)) settle(stopping);
    await this.kill();
  }

  #pump(): void {
    for (const sandbox of this.#sandboxes) {
      const next = sandbox.state === 'idle' ? this.#queue.shift() : undefined;
      if (next) sandbox.run(next);
    }
    const starting = [...this.#sandboxes].filter(({ state }) => state === 'starting').length;
    const room = this.#options.maxEnvironments - this.#sandboxes.size;
    const wanted = this.#isClosed ? 0 : Math.min(room, this.#queue.length - starting);
    for (let started = 0; started < wanted; started++) this.#startSandbox();
  }

  #startSandbox(): void {
    const events: SandboxEvents = {
      onIdle: () => this.#pump(),
      onEnd: (failedStart) => {
        this.#sandboxes.delete(sandbox);
        // An environment that cannot start fails the event it was started for.
        if (failedStart) this.#queue.shift()?.settle(failedStart);
        this.#pump();
      },
    };
    const sandbox = new Sandbox(this.#options, events, this.#clockShiftMs);
    this.#sandboxes.add(sandbox);
  }
}
