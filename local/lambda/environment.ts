// One environment of a function: a child process, or a worker thread, that runs `runtime.ts`.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { Worker } from 'node:worker_threads';
import type { FromEnvironment, ToEnvironment } from './messages.ts';

const runtimePath = join(import.meta.dirname, 'runtime.ts');

/** Processes are what `npm start` uses; workers start faster and are what tests use. */
export type EnvironmentMode = 'process' | 'worker';

/** What an environment needs: its variables, complete, and its memory. */
export type EnvironmentSpec = { variables: Record<string, string>; memoryMiB: number };

/** What an environment tells: its messages, each line it prints, and its end. */
export type EnvironmentEvents = {
  onMessage: (message: FromEnvironment) => void;
  onLine: (line: string) => void;
  onExit: (reason: string) => void;
};

export type Environment = {
  /** The process ID; a worker has none of its own. */
  readonly pid: number | undefined;
  send(message: ToEnvironment): void;
  /** Ends it at once; resolves when it is gone. */
  kill(): Promise<void>;
};

function readLines(streams: (Readable | null)[], onLine: (line: string) => void): void {
  for (const stream of streams) {
    if (stream)
      createInterface({ input: stream, crlfDelay: Number.POSITIVE_INFINITY }).on('line', onLine);
  }
}

function startProcess(spec: EnvironmentSpec, events: EnvironmentEvents): Environment {
  const child: ChildProcess = fork(runtimePath, {
    env: spec.variables,
    execArgv: [
      '--experimental-strip-types',
      '--disable-warning=ExperimentalWarning',
      `--max-old-space-size=${spec.memoryMiB}`,
    ],
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  });
  const gone = once(child, 'exit');
  child.on('message', (message: FromEnvironment) => events.onMessage(message));
  child.on('exit', (code, signal) =>
    events.onExit(signal ? `signal: ${signal}` : `exit status ${code}`),
  );
  // The channel of a child that is being killed may break before its end is known.
  child.on('error', () => child.kill('SIGKILL'));
  readLines([child.stdout, child.stderr], events.onLine);
  return {
    pid: child.pid,
    send: (message) => {
      if (child.connected) child.send(message);
    },
    kill: async () => {
      child.kill('SIGKILL');
      await gone;
    },
  };
}

function startWorker(spec: EnvironmentSpec, events: EnvironmentEvents): Environment {
  const worker = new Worker(runtimePath, {
    env: spec.variables,
    execArgv: ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'],
    resourceLimits: { maxOldGenerationSizeMb: spec.memoryMiB },
    stdout: true,
    stderr: true,
  });
  worker.on('message', (message: FromEnvironment) => events.onMessage(message));
  let reason: string | undefined;
  worker.on('error', (error) => {
    reason = error.message;
    events.onLine(error.stack ?? error.message);
  });
  worker.on('exit', (code) => events.onExit(reason ?? `exit status ${code}`));
  readLines([worker.stdout, worker.stderr], events.onLine);
  return {
    pid: undefined,
    send: (message) => worker.postMessage(message),
    kill: async () => {
      await worker.terminate();
    },
  };
}

/** How to start an environment of each mode. */
export const startEnvironment: Readonly<
  Record<EnvironmentMode, (spec: EnvironmentSpec, events: EnvironmentEvents) => Environment>
> = { process: startProcess, worker: startWorker };
