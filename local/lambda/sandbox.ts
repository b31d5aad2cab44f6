// One environment from its start to its end, with the one invocation it works on.
import type { Environment, EnvironmentEvents } from './environment.ts';
import type { FromEnvironment, FunctionError } from './messages.ts';
import { failed, type Outcome, type Report } from './outcome.ts';

/** An event on its way through an environment. */
export type Invocation = {
  requestId: string;
  /** JSON. */
  event: string;
  settle: (outcome: Outcome) => void;
};

export type SandboxOptions = {
  functionId: string;
  functionArn: string;
  timeoutMs: number;
  start: (events: EnvironmentEvents, clockShiftMs: number) => Environment;
  onLine: (line: string, requestId: string | undefined) => void;
  onReport: (report: Report) => void;
};

export type SandboxEvents = {
  /** It can take an event: the first, or after one is done. */
  onIdle: () => void;
  /** It is gone; with an outcome when it never came to be. */
  onEnd: (failedStart: Outcome | undefined) => void;
};

/** Loading a handler may take this long before the environment counts as stuck. */
const initTimeoutMs = 30_000;

export class Sandbox {
  state: 'starting' | 'idle' | 'busy' | 'ended' = 'starting';
  readonly #options: SandboxOptions;
  readonly #events: SandboxEvents;
  readonly #environment: Environment;
  readonly #startedAt = performance.now();
  #timer: NodeJS.Timeout;
  #initMs: number | undefined;
  #current: { invocation: Invocation; startedAt: number } | undefined;
  #lastRequestId: string | undefined;
  #clockShiftMs: number;

  constructor(options: SandboxOptions, events: SandboxEvents, clockShiftMs: number) {
    this.#options = options;
    this.#events = events;
    this.#clockShiftMs = clockShiftMs;
    this.#timer = setTimeout(() => void this.kill(), initTimeoutMs);
    const environmentEvents: EnvironmentEvents = {
      onMessage: (message) => this.#onMessage(message),
      onLine: (line) => options.onLine(line, this.#lastRequestId),
      onExit: (reason) => {
        const message = `Error: Runtime exited with error: ${reason}`;
        this.#end(failed('Runtime.ExitError', message));
      },
    };
    this.#environment = options.start(environmentEvents, clockShiftMs);
  }

  get pid(): number | undefined {
    return this.#environment.pid;
  }

  setClockShift(shiftMs: number): void {
    this.#clockShiftMs = shiftMs;
    // While it starts it does not listen yet: it is told once it is ready.
    if (this.state !== 'starting') this.#environment.send({ kind: 'clock', shiftMs });
  }

  /** Gives an idle environment an event; what comes of it goes to `invocation.settle`. */
  run(invocation: Invocation): void {
    const { requestId, event } = invocation;
    const { timeoutMs, functionArn } = this.#options;
    this.state = 'busy';
    this.#current = { invocation, startedAt: performance.now() };
    this.#lastRequestId = requestId;
    this.#environment.send({ kind: 'invoke', requestId, event, timeoutMs, functionArn });
    this.#timer = setTimeout(() => {
      const seconds = (timeoutMs / 1_000).toFixed(2);
      const message = `RequestId: ${requestId} Error: Task timed out after ${seconds} seconds`;
      this.#finish(failed('Sandbox.Timedout', message));
      void this.kill();
    }, timeoutMs);
  }

  /** Ends it at once, as a crash would. */
  kill(): Promise<void> {
    return this.#environment.kill();
  }

  #onMessage(message: FromEnvironment): void {
    if (message.kind === 'initError') this.#failInit(message.error);
    else if (message.kind === 'ready') this.#becomeReady();
    else if (message.requestId === this.#current?.invocation.requestId) {
      const isResult = message.kind === 'result';
      this.#finish(
        isResult ? { ok: true, payload: message.payload } : { ok: false, error: message.error },
      );
      this.state = 'idle';
      this.#events.onIdle();
    }
  }

  #becomeReady(): void {
    clearTimeout(this.#timer);
    this.#initMs = performance.now() - this.#startedAt;
    this.state = 'idle';
    this.setClockShift(this.#clockShiftMs);
    this.#events.onIdle();
  }

  #failInit(error: FunctionError): void {
    this.#end({ ok: false, error });
    void this.kill();
  }

  #end(outcome: Outcome): void {
    if (this.state === 'ended') return;
    const wasStarting = this.state === 'starting';
    this.state = 'ended';
    clearTimeout(this.#timer);
    this.#finish(outcome);
    this.#events.onEnd(wasStarting ? outcome : undefined);
  }

  #finish(outcome: Outcome): void {
    if (!this.#current) return;
    const { invocation, startedAt } = this.#current;
    const { requestId, settle } = invocation;
    this.#current = undefined;
    clearTimeout(this.#timer);
    settle(outcome);
    const durationMs = performance.now() - startedAt;
    const { functionId, onReport } = this.#options;
    onReport({ functionId, requestId, initMs: this.#initMs, durationMs, outcome });
    this.#initMs = undefined;
  }
}
