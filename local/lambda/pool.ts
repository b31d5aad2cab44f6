// The environments of one function: at most a few, one event at a time in each, the rest queued.
import { randomUUID } from 'node:crypto';
import type { Environment, EnvironmentEvents } from './environment.ts';
import { type FromEnvironment, type FunctionError, payloadLimitBytes } from './messages.ts';

/** What came of an event: the handler's result as JSON, or an error as Lambda words it. */
export type Outcome = { ok: true; payload: string } | { ok: false; error: FunctionError };

/** One finished invocation, for whoever measures. */
export type Report = {
  functionId: string;
  requestId: string;
  cold: boolean;
  durationMs: number;
  outcome: Outcome;
};

export type PoolOptions = {
  functionId: string;
  functionArn: string;
  timeoutMs: number;
  maxEnvironments: number;
  start: (events: EnvironmentEvents) => Environment;
  onLine: (line: string, requestId: string | undefined) => void;
  onReport: (report: Report) => void;
};

type Invocation = {
  requestId: string;
  event: string;
  cold: boolean;
  startedAt: number;
  timer: NodeJS.Timeout | undefined;
  settle: (outcome: Outcome) => void;
};
type Slot = {
  environment: Environment;
  state: 'starting' | 'idle' | 'busy';
  current: Invocation | undefined;
  lastRequestId: string | undefined;
};

const failed = (errorType: string, errorMessage: string): Outcome => ({
  ok: false,
  error: { errorType, errorMessage },
});

/** Loading a handler may take this long before the environment counts as stuck. */
const initTimeoutMs = 30_000;

export class FunctionPool {
  readonly #options: PoolOptions;
  readonly #slots = new Set<Slot>();
  readonly #queue: Invocation[] = [];
  #clockShiftMs: number;
  #isClosed = false;

  constructor(options: PoolOptions, clockShiftMs = 0) {
    this.#options = options;
    this.#clockShiftMs = clockShiftMs;
  }

  /** Process IDs of the environments that are up. */
  get pids(): number[] {
    return [...this.#slots].flatMap(({ environment }) => environment.pid ?? []);
  }

  /** How many events can be worked on at once. */
  get maxEnvironments(): number {
    return this.#options.maxEnvironments;
  }

  /** Gives the event (JSON) to the first free environment; never rejects. */
  invoke(event: string): Promise<Outcome> {
    if (Buffer.byteLength(event) > payloadLimitBytes) {
      return Promise.resolve(
        failed(
          'RequestEntityTooLargeException',
          `Request must be smaller than ${payloadLimitBytes} bytes`,
        ),
      );
    }
    if (this.#isClosed)
      return Promise.resolve(failed('Runtime.ExitError', 'The stack is stopping'));
    return new Promise((settle) => {
      const requestId = randomUUID();
      this.#queue.push({ requestId, event, cold: false, startedAt: 0, timer: undefined, settle });
      this.#pump();
    });
  }

  /** Moves the clock of every environment, those to come included. */
  setClockShift(shiftMs: number): void {
    this.#clockShiftMs = shiftMs;
    for (const slot of this.#slots) slot.environment.send({ kind: 'clock', shiftMs });
  }

  /** Ends every environment as a crash would; queued events get fresh ones. */
  async kill(): Promise<void> {
    await Promise.all([...this.#slots].map(({ environment }) => environment.kill()));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    for (const { settle } of this.#queue.splice(0))
      settle(failed('Runtime.ExitError', 'The stack is stopping'));
    await this.kill();
  }

  #pump(): void {
    for (const slot of this.#slots) {
      if (slot.state !== 'idle') continue;
      const next = this.#queue.shift();
      if (!next) return;
      this.#run(slot, next);
    }
    const starting = [...this.#slots].filter(({ state }) => state === 'starting').length;
    const room = this.#options.maxEnvironments - this.#slots.size;
    const wanted = Math.min(room, this.#queue.length - starting);
    for (let n = 0; n < wanted && !this.#isClosed; n++) this.#startSlot();
  }

  #startSlot(): void {
    const initTimer = setTimeout(() => void slot.environment.kill(), initTimeoutMs);
    const environment = this.#options.start({
      onMessage: (message) => {
        clearTimeout(initTimer);
        this.#onMessage(slot, message);
      },
      onLine: (line) => this.#options.onLine(line, slot.lastRequestId),
      onExit: (reason) => {
        clearTimeout(initTimer);
        this.#onExit(slot, reason);
      },
    });
    const slot: Slot = {
      environment,
      state: 'starting',
      current: undefined,
      lastRequestId: undefined,
    };
    this.#slots.add(slot);
  }

  #run(slot: Slot, invocation: Invocation): void {
    const { timeoutMs, functionArn } = this.#options;
    const { requestId, event } = invocation;
    invocation.cold = slot.lastRequestId === undefined;
    invocation.startedAt = performance.now();
    Object.assign(slot, { state: 'busy', current: invocation, lastRequestId: requestId });
    slot.environment.send({ kind: 'invoke', requestId, event, timeoutMs, functionArn });
    invocation.timer = setTimeout(() => {
      const seconds = (timeoutMs / 1_000).toFixed(2);
      const message = `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`;
      this.#finish(slot, failed('Sandbox.Timedout', message));
      void slot.environment.kill();
    }, timeoutMs);
  }

  #onMessage(slot: Slot, message: FromEnvironment): void {
    if (message.kind === 'initError') {
      this.#failInit(slot, message.error);
      return;
    }
    if (message.kind === 'ready') {
      slot.environment.send({ kind: 'clock', shiftMs: this.#clockShiftMs });
    } else if (message.requestId !== slot.current?.requestId) {
      return;
    } else {
      this.#finish(
        slot,
        message.kind === 'result'
          ? { ok: true, payload: message.payload }
          : { ok: false, error: message.error },
      );
    }
    slot.state = 'idle';
    this.#pump();
  }

  /** An environment that cannot load its handler fails the event it was started for. */
  #failInit(slot: Slot, error: FunctionError): void {
    this.#slots.delete(slot);
    this.#queue.shift()?.settle({ ok: false, error });
    void slot.environment.kill();
    this.#pump();
  }

  #onExit(slot: Slot, reason: string): void {
    if (!this.#slots.delete(slot)) return;
    const message = `Error: Runtime exited with error: ${reason}`;
    if (slot.state === 'starting')
      this.#queue.shift()?.settle(failed('Runtime.ExitError', message));
    else this.#finish(slot, failed('Runtime.ExitError', message));
    this.#pump();
  }

  #finish(slot: Slot, outcome: Outcome): void {
    const invocation = slot.current;
    if (!invocation) return;
    slot.current = undefined;
    clearTimeout(invocation.timer);
    const { requestId, cold, startedAt } = invocation;
    const durationMs = performance.now() - startedAt;
    invocation.settle(outcome);
    this.#options.onReport({
      functionId: this.#options.functionId,
      requestId,
      cold,
      durationMs,
      outcome,
    });
  }
}
