// The functions of a stack, each with the pool that runs its bundle.
import type { FunctionDefinition } from './definitions.ts';
import { type EnvironmentMode, startEnvironment } from './environment.ts';
import { runtimeVariables } from './messages.ts';
import type { Report } from './outcome.ts';
import { FunctionPool } from './pool.ts';

/** A line that a function printed. */
export type LogLine = { functionId: string; requestId: string | undefined; line: string };

export type FunctionsOptions = {
  mode: EnvironmentMode;
  maxEnvironments: number;
  /** Variables every function gets over those of the template. */
  overrides: Readonly<Record<string, string>>;
  /** Rewrites addresses of AWS to those of the local stack. */
  localize: (value: string) => string;
  /** Where compiled code is kept between starts. */
  compileCache: string;
  clockShiftMs: number;
  onLog: (line: LogLine) => void;
  onReport: (report: Report) => void;
};

function createPool(definition: FunctionDefinition, options: FunctionsOptions): FunctionPool {
  const { logicalId, arn, timeoutMs, memoryMiB, reservedConcurrency } = definition;
  const localized = Object.entries(definition.variables).map(
    ([name, value]) => [name, options.localize(value)] as const,
  );
  const variables = {
    ...Object.fromEntries(localized),
    NODE_COMPILE_CACHE: options.compileCache,
    ...options.overrides,
  };
  return new FunctionPool(
    {
      functionId: logicalId,
      functionArn: arn,
      timeoutMs,
      maxEnvironments: Math.min(options.maxEnvironments, reservedConcurrency ?? Infinity),
      start: (events, clockShiftMs) => {
        const clock = { [runtimeVariables.clockShiftMs]: String(clockShiftMs) };
        const spec = { variables: { ...variables, ...clock }, memoryMiB };
        return startEnvironment[options.mode](spec, events);
      },
      onLine: (line, requestId) => options.onLog({ functionId: logicalId, requestId, line }),
      onReport: options.onReport,
    },
    options.clockShiftMs,
  );
}

/** The pools of all functions by logical ID. */
export class Functions {
  readonly #pools: ReadonlyMap<string, FunctionPool>;

  /** None has an environment yet: the first event of each starts one. */
  constructor(definitions: Iterable<FunctionDefinition>, options: FunctionsOptions) {
    this.#pools = new Map(
      [...definitions].map((definition) => [definition.logicalId, createPool(definition, options)]),
    );
  }

  /** The pool of a function; throws if the template has none of that logical ID. */
  pool(logicalId: string): FunctionPool {
    const pool = this.#pools.get(logicalId);
    if (!pool) throw new Error(`The template has no function ${logicalId}`);
    return pool;
  }

  get logicalIds(): string[] {
    return [...this.#pools.keys()];
  }

  setClockShift(shiftMs: number): void {
    for (const pool of this.#pools.values()) pool.setClockShift(shiftMs);
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.close()));
  }
}
