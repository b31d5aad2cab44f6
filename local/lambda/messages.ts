// What the runner and a function's environment say to each other.

/** An error as Lambda reports it. */
export type FunctionError = { errorType: string; errorMessage: string; trace?: string[] };

export type ToEnvironment =
  | { kind: 'invoke'; requestId: string; event: string; timeoutMs: number; functionArn: string }
  /** Moves the environment's clock to this many milliseconds ahead of the machine's. */
  | { kind: 'clock'; shiftMs: number };

export type FromEnvironment =
  | { kind: 'ready' }
  | { kind: 'initError'; error: FunctionError }
  | { kind: 'result'; requestId: string; payload: string }
  | { kind: 'error'; requestId: string; error: FunctionError };

/** Lambda's limit on an event and on a result, in bytes of JSON. */
export const payloadLimitBytes = 6 * 1024 * 1024 + 100;

/** Variables the runtime itself reads; the rest of the environment belongs to the function. */
export const runtimeVariables = {
  taskRoot: 'LAMBDA_TASK_ROOT',
  handler: '_HANDLER',
  clockShiftMs: '_LOCAL_CLOCK_SHIFT_MS',
} as const;
