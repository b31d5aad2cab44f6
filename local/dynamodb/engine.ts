// The process of the local DynamoDB engine (dynoxide): found, started on a port, stopped.
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { findFreePort } from '../free-port.ts';
import { EngineError } from './engine-error.ts';
import { prepareEngineFile } from './engine-file.ts';

const startTimeoutMs = 10_000;

/** A running engine. */
export interface Engine {
  endpoint: string;
  processId: number;
  /** Deletes items whose TTL has passed, by the machine's real clock; resolves to their number. */
  sweepExpired(): Promise<number>;
  /** Ends the process; everything acknowledged is on disk already. */
  close(): Promise<void>;
}

export interface EngineOptions {
  /** Where its database file is; made if absent. One engine per folder. */
  folder: string;
  /** A free one if absent. */
  port?: number;
}

/** Starts the engine and resolves once it listens. Rejects with an EngineError. */
export async function startEngine({ folder, port }: EngineOptions): Promise<Engine> {
  const program = findProgram();
  mkdirSync(folder, { recursive: true });
  const file = join(folder, 'dynamodb.sqlite');
  prepareEngineFile(file);
  // Between finding a free port and using it another process may take it: then with another one.
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await startProcess(program, file, port ?? (await findFreePort()));
    } catch (error) {
      const isTaken = error instanceof EngineError && error.message.includes('already in use');
      if (!isTaken || port !== undefined || attempt === 5) throw error;
    }
  }
}

function findProgram(): string {
  const name = `@dynoxide/${process.platform}-${process.arch}`;
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));
    return join(folder, process.platform === 'win32' ? 'dynoxide.exe' : 'dynoxide');
  } catch {
    throw new EngineError(
      `No DynamoDB engine here: the package ${name} is not installed. Install it if there is one` +
        ' for this platform, or set AWS_ENDPOINT_URL_DYNAMODB to an engine that runs.',
    );
  }
}

// Runs the engine as a child that ends when the pipe at its third descriptor does. So it never
// outlives this process, however that ends.
const guard = `
"$@" 3<&- &
engine=$!
echo "engine process $engine" >&2
{ cat <&3; kill -9 "$engine"; } >/dev/null 2>&1 &
wait "$engine"`;

async function startProcess(program: string, file: string, port: number): Promise<Engine> {
  // The sweep is only reachable through the engine's second port; the token keeps pages in a
  // browser on this machine out of it.
  const sweepToken = randomBytes(16).toString('hex');
  const serve = ['serve', '--port', String(port), '--db-path', file, '--mcp', '--mcp-port', '0'];
  const child = spawn('sh', ['-c', guard, 'sh', program, ...serve], {
    stdio: ['ignore', 'ignore', 'pipe', 'pipe'],
    env: { ...process.env, DYNOXIDE_MCP_AUTH_TOKEN: sweepToken },
    // Ctrl-C at the terminal is for this process alone, which then ends the engine in its turn.
    detached: true,
  });
  // An engine that ended by itself leaves nothing to guard.
  child.once('exit', () => child.stdio[3]?.destroy());
  const { sweepEndpoint, processId } = await waitUntilListening(child);
  return {
    endpoint: `http://127.0.0.1:${port}`,
    processId,
    sweepExpired: () => sweep(sweepEndpoint, sweepToken),
    close: () => stop(child),
  };
}

async function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, 'exit');
  child.stdio[3]?.destroy();
  await exited;
}

interface Announcement {
  processId: number;
  /** The address of the second port, which the engine announces after the first listens. */
  sweepEndpoint: string;
}

function waitUntilListening(child: ChildProcess): Promise<Announcement> {
  return new Promise((resolve, reject) => {
    let said = '';
    const fail = (message: string) => {
      clearTimeout(timer);
      child.stdio[3]?.destroy();
      reject(new EngineError(message));
    };
    const timer = setTimeout(
      () => fail('The DynamoDB engine did not start in time.'),
      startTimeoutMs,
    );
    child.stderr?.setEncoding('utf8').on('data', (chunk: string) => {
      said = (said + chunk).slice(-4_000);
      const sweepEndpoint = /MCP HTTP server listening on (\S+)\n/.exec(said)?.[1];
      if (sweepEndpoint === undefined || !said.includes('Dynoxide listening on')) return;
      clearTimeout(timer);
      const processId = Number(/engine process (\d+)/.exec(said)?.[1]);
      resolve({ processId, sweepEndpoint });
    });
    child.once('error', (error) => fail(`The DynamoDB engine cannot run: ${error.message}`));
    child.once('close', () => {
      const reason = said.trim().split('\n').pop() ?? '';
      fail(`The DynamoDB engine stopped: ${reason.replace(/^error: /, '')}`);
    });
  });
}

async function sweep(endpoint: string, token: string): Promise<number> {
  const answer = await fetch(endpoint, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
    },
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'sweep_ttl', arguments: {} },
    }),
  });
  const deleted = /items_deleted\D*(\d+)/.exec(await answer.text())?.[1];
  if (deleted === undefined) throw new Error(`the engine refused the sweep (${answer.status})`);
  return Number(deleted);
}
