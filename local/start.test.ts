import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { temporaryFolder } from './fixtures/resources.ts';
import { readHubRecord } from './hub-record.ts';
import { signIn } from './sign-in.ts';
import { synthesizeCached } from './synth.ts';

const program = join(import.meta.dirname, 'start.ts');
const flags = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];

// Whole programs start here, some twice in a test.
vi.setConfig({ testTimeout: 90_000 });
beforeAll(async () => void (await synthesizeCached()));

type Started = {
  child: ChildProcess;
  /** Everything it said so far, line by line. */
  lines: string[];
  /** The Hub's URL, once it says that it is ready. */
  ready: Promise<string>;
  exitCode: Promise<number | null>;
};

function start(folder: string, args: string[] = [], nodeFlags: string[] = []): Started {
  return launch(folder, process.execPath, [...flags, ...nodeFlags, program, ...args]);
}

function launch(folder: string, command: string, args: string[]): Started {
  const child = spawn(command, args, {
    env: { ...process.env, TANDRY_LOCAL_FOLDER: folder },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const lines: string[] = [];
  const { promise: ready, resolve, reject } = Promise.withResolvers<string>();
  ready.catch(() => {});
  for (const input of [child.stdout, child.stderr]) {
    createInterface({ input }).on('line', (line) => {
      // Comes whenever the infrastructure has changed, and is not what these tests are about.
      if (!line.startsWith('Reading the infrastructure')) lines.push(line);
      if (line.startsWith('Hub ready: ')) resolve(line.slice('Hub ready: '.length));
    });
  }
  const exitCode = once(child, 'close').then(([code]) => {
    reject(new Error(`it ended: ${lines.join('\n')}`));
    return code;
  });
  onTestFinished(async () => {
    child.kill('SIGTERM');
    await exitCode;
  });
  return { child, lines, ready, exitCode };
}

/** Starts, waits for the end, and returns the exit code with the lines said. */
async function startInVain(folder: string, args: string[] = [], nodeFlags: string[] = []) {
  const { lines, exitCode } = start(folder, args, nodeFlags);
  return { exitCode: await exitCode, lines };
}

/** Process IDs of all descendants that are alive, from /proc. */
function descendants(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => parentOf(Number(name)) === pid)
    .map(Number);
  return [...children, ...children.flatMap(descendants)];
}

function statusOf(pid: number): string[] {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .split(' ');
  } catch {
    return [];
  }
}
const parentOf = (pid: number) => Number(statusOf(pid)[1]);
/** A zombie is dead: it only waits for its parent to notice. */
const isAlive = (pid: number) => !['Z', 'X', undefined].includes(statusOf(pid)[0]);

/** Signs in as a new account and returns how to call an operation with its token. */
async function signInTo(url: string, folder: string, email: string) {
  const record = readHubRecord(url, join(folder, 'hubs'));
  if (!record) throw new Error('there is no record of the Hub');
  const { accessToken } = await signIn({ ...record.cognito, email });
  return async (operation: string, input: object) => {
    const response = await fetch(`${url}/v1/${operation}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${accessToken}` },
      body: JSON.stringify(input),
    });
    return JSON.parse(await response.text());
  };
}

const anyPort = ['--port', '0'];

describe('npm start', () => {
  test('says last that the Hub is ready, which it is, and ends without a trace on Ctrl-C', async () => {
    const folder = temporaryFolder();
    const { child, lines, ready, exitCode } = start(folder, anyPort);
    const url = await ready;
    expect(lines.at(-1)).toBe(`Hub ready: ${url}`);
    expect(await (await fetch(`${url}/health`)).json()).toMatchObject({ ok: true });
    const family = descendants(child.pid ?? 0);
    // The engine behind its shell, and the environment that answered.
    expect(family.length).toBeGreaterThanOrEqual(3);
    child.kill('SIGINT');
    expect(await exitCode).toBe(0);
    await expect.poll(() => family.filter(isAlive)).toEqual([]);
    expect(readHubRecord(url, join(folder, 'hubs'))).toBeUndefined();
    expect(lines.filter((line) => /error|warn/i.test(line))).toEqual([]);
  });

  test('keeps what it stores when everything is killed', async () => {
    const folder = temporaryFolder();
    const first = start(folder, anyPort);
    const before = await signInTo(await first.ready, folder, 'alice@example.com');
    const claimed = await before('claim_handle', { handle: 'alice' });
    expect(claimed).toMatchObject({ ok: true, result: { account: { handle: 'alice' } } });
    const family = descendants(first.child.pid ?? 0);
    first.child.kill('SIGKILL');
    await first.exitCode;
    await expect.poll(() => family.filter(isAlive)).toEqual([]);

    const second = start(folder, anyPort);
    const after = await signInTo(await second.ready, folder, 'alice@example.com');
    const { account } = (await after('status', {})).result;
    expect(account).toEqual(claimed.result.account);
  });

  test.each(['SIGTERM', 'SIGKILL'] as const)('ends when npm is sent %s', async (signal) => {
    const folder = temporaryFolder();
    const { child, ready } = launch(folder, 'npm', ['start', '--', ...anyPort]);
    await ready;
    const family = descendants(child.pid ?? 0);
    // The script runner, the stack, and the engine behind its shell.
    expect(family.length).toBeGreaterThanOrEqual(4);
    child.kill(signal);
    await expect.poll(() => family.filter(isAlive)).toEqual([]);
  });

  test('leaves no state with --memory, and the log of another Hub as it is', async () => {
    const folder = temporaryFolder();
    const log = join(folder, 'functions.log');
    writeFileSync(log, 'a line of another Hub\n');
    const { child, ready, exitCode } = start(folder, [...anyPort, '--memory']);
    await ready;
    child.kill('SIGTERM');
    expect(await exitCode).toBe(0);
    expect(readdirSync(folder)).not.toContain('state');
    expect(readFileSync(log, 'utf8')).toMatch(/^a line of another Hub\n/);
    const parent = existsSync('/dev/shm') ? '/dev/shm' : folder;
    expect(readdirSync(parent).filter((name) => name.includes(`-${child.pid}-`))).toEqual([]);
  });
});

describe('npm start ends with one line and exit code 1', () => {
  test('when one runs in the checkout already', async () => {
    const folder = temporaryFolder();
    const { child, ready } = start(folder, anyPort);
    await ready;
    expect(await startInVain(folder, anyPort)).toEqual({
      exitCode: 1,
      lines: [
        `A Hub of this checkout is already running (process ${child.pid}): stop it, or start another with --memory`,
      ],
    });
  });

  test('when the port is in use', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : 0;
    expect(await startInVain(temporaryFolder(), ['--port', String(port)])).toEqual({
      exitCode: 1,
      lines: [`Port ${port} is in use: stop what listens there, or start with --port <number>`],
    });
  });

  test('when its state is damaged', async () => {
    const folder = temporaryFolder();
    const { child, ready, exitCode } = start(folder, anyPort);
    await ready;
    child.kill('SIGTERM');
    await exitCode;
    const queues = join(folder, 'state', 'queues');
    for (const file of readdirSync(queues)) writeFileSync(join(queues, file), 'x'.repeat(5_000));
    const result = await startInVain(folder, anyPort);
    expect(result.exitCode).toBe(1);
    expect(result.lines).toHaveLength(1);
    expect(result.lines[0]).toContain(`The state in ${queues} is damaged`);
  });

  test('when there is no engine for this machine', async () => {
    const preload = join(import.meta.dirname, 'fixtures', 'other-platform.cjs');
    const result = await startInVain(temporaryFolder(), anyPort, ['--require', preload]);
    expect(result.exitCode).toBe(1);
    expect(result.lines).toEqual([expect.stringMatching(/^No DynamoDB engine here/)]);
  });

  test.each([
    [['--prot', '1'], "Unknown option '--prot'. See npm start -- --help"],
    [['--port', 'x'], '--port takes a number from 0 to 65534, not x. See npm start -- --help'],
    [['extra'], "Unexpected argument 'extra'. See npm start -- --help"],
  ])('for %j', async (args, line) => {
    expect(await startInVain(temporaryFolder(), args)).toEqual({ exitCode: 1, lines: [line] });
  });
});

test('npm start -- --help says what there is', async () => {
  const { exitCode, lines } = await startInVain(temporaryFolder(), ['--help']);
  expect(exitCode).toBe(0);
  expect(lines.join('\n')).toMatch(/--port .*--memory .*--quiet .*--help/s);
});
