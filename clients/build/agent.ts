// `npm run agent -- <host>`: builds the plugin and starts the host with it, at the local Hub, with
// settings and records of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { normalizeHub } from '../../bridge/index.ts';
import type { Launch } from '../package.ts';
import { buildClients } from './build.ts';
import { clients } from './clients.ts';
import { root } from './root.ts';

const defaultHub = 'http://127.0.0.1:8799';
const healthTimeoutMs = 5_000;

async function answers(hub: string): Promise<boolean> {
  try {
    return (await fetch(`${hub}/health`, { signal: AbortSignal.timeout(healthTimeoutMs) })).ok;
  } catch {
    return false;
  }
}

/** Runs the host's program to its end; undefined if there is no such program. */
async function runHost(
  { command, env }: Launch,
  args: readonly string[],
): Promise<number | undefined> {
  const child = spawn(command, args, {
    stdio: 'inherit',
    env: { ...process.env, ...env },
    // There, programs of npm are scripts, which only a shell starts.
    shell: process.platform === 'win32',
  });
  try {
    const [code] = await once(child, 'exit');
    return typeof code === 'number' ? code : 1;
  } catch {
    return undefined;
  }
}

async function start(launch: Launch, further: readonly string[]): Promise<number> {
  // The terminal tells the host too, which ends as it likes.
  process.on('SIGINT', () => {});
  for (const args of [...(launch.before ?? []), [...launch.args, ...further]]) {
    const code = await runHost(launch, args);
    if (code === undefined) console.error(launch.missing);
    if (code !== 0) return code ?? 1;
  }
  return 0;
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    hub: { type: 'string', default: defaultHub },
    state: { type: 'string', default: join(root, '.local', 'agents') },
  },
});
const [host, ...further] = positionals;
const client = clients.find((known) => known.host === host);
const hub = normalizeHub(values.hub);
if (client === undefined || hub === undefined) {
  const hosts = clients.map((known) => known.host).join('|');
  console.error(
    `Usage: npm run agent -- <${hosts}> [--hub URL] [--state FOLDER] [-- arguments of the host]`,
  );
  process.exitCode = 2;
} else if (!(await answers(hub))) {
  console.error(`No Hub answers at ${hub}. Start one with: npm start`);
  process.exitCode = 1;
} else {
  const state = resolve(values.state, client.host);
  await mkdir(state, { recursive: true, mode: 0o700 });
  const out = resolve(values.state, 'packages');
  const [built] = await buildClients({ clients: [client], out });
  const folder = built?.folder ?? '';
  process.exitCode = await start(client.launch({ folder, state, hub }), further);
}
