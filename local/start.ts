// `npm start`: the whole Hub on this machine until Ctrl-C.
import { createWriteStream, mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EngineError } from './dynamodb/index.ts';
import { removeHubRecord, writeHubRecord } from './hub-record.ts';
import { type Stack, startStack } from './stack.ts';
import { StartError } from './start-error.ts';
import { formatCall, formatFailure, formatLink, formatTold } from './terminal.ts';

const defaultPort = '8799';
const usage = `Usage: npm start -- [options]

Runs the whole Hub on this machine. What it stores is kept in .local/state.

  --port <number>  Where the Hub listens; signing in takes the next port (default ${defaultPort}).
                   0 takes any two free ports
  --memory         Keep nothing: a throw-away folder, removed at the end
  --quiet          Do not show the calls and the links
  --help           Show this`;

/** Tests of this program must not meet what a person keeps here. */
const localFolder = process.env['TANDRY_LOCAL_FOLDER'] ?? join(import.meta.dirname, '..', '.local');
const hubsFolder = join(localFolder, 'hubs');
/** How often to look whether whoever started this is still there. */
const parentCheckMs = 1_000;

type Arguments = { port: number; memory: boolean; quiet: boolean; help: boolean };

function readArguments(): Arguments {
  const options = {
    port: { type: 'string', default: defaultPort },
    memory: { type: 'boolean', default: false },
    quiet: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  } as const;
  try {
    const { values } = parseArgs({ options });
    const port = Number(values.port);
    if (/^\d{1,5}$/.test(values.port) && port < 65_535) return { ...values, port };
    throw new Error(`--port takes a number from 0 to 65534, not ${values.port}.`);
  } catch (error) {
    const [problem] = String(error instanceof Error ? error.message : error).split(/\. |\n/);
    throw new StartError(`${problem?.replace(/\.$/, '')}. See npm start -- --help`);
  }
}

/** Added to, because another Hub of this checkout may be writing there as well. */
function logTo(folder: string) {
  mkdirSync(folder, { recursive: true });
  return createWriteStream(join(folder, 'functions.log'), { flags: 'a' });
}

async function startFrom({ port, memory, quiet }: Arguments): Promise<Stack> {
  const isShown = process.stdout.isTTY && !quiet;
  const show = (line: string | undefined) => {
    if (isShown && line !== undefined) console.log(line);
  };
  const log = logTo(localFolder);
  return startStack({
    port,
    mode: 'process',
    ...(memory ? {} : { folder: join(localFolder, 'state') }),
    onSynth: () => console.log('Reading the infrastructure (a few seconds, after a change only)…'),
    onLog: (printed) => {
      log.write(`${printed.functionId} ${printed.line}\n`);
      show(formatTold(printed, new Date()));
    },
    onCall: (call) => show(formatCall(call, new Date())),
    onLink: (change) => show(formatLink(change, new Date())),
    onReport: (report) => {
      const failure = formatFailure(report, new Date());
      if (failure !== undefined) console.error(failure);
    },
    onFailure: (error) => console.error(error instanceof Error ? error.message : error),
  });
}

function announce(stack: Stack): void {
  const clientId = stack.outputs['WebsiteClientId'];
  if (stack.cognito && clientId) {
    const { baseUrl, issuer } = stack.cognito;
    writeHubRecord({ url: stack.url, cognito: { baseUrl, issuer, clientId } }, hubsFolder);
  }
  const hub = stack.url.endsWith(`:${defaultPort}`) ? '' : ` --hub ${stack.url}`;
  console.log(`Get a token:   npm run token -- you@example.com --handle you${hub}
Connect:       set TANDRY_HUB=${stack.url} where the agent runs
Function logs: .local/functions.log
Stop:          Ctrl-C
Hub ready: ${stack.url}`);
}

/** Resolves when somebody wants the Hub to end; a second signal ends it at once. */
function waitForEnd(): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      let count = 0;
      process.on(signal, () => {
        count += 1;
        if (count > 1) process.exit(1);
        resolve();
      });
    }
    // The script runner may be killed; started by hand, this may outlive the shell.
    if (process.env['npm_lifecycle_event'] === undefined) return;
    const parent = process.ppid;
    setInterval(() => {
      if (process.ppid !== parent) resolve();
    }, parentCheckMs).unref();
  });
}

async function main(): Promise<void> {
  const args = readArguments();
  if (args.help) {
    console.log(usage);
    return;
  }
  const ended = waitForEnd();
  const stack = await startFrom(args);
  announce(stack);
  await ended;
  removeHubRecord(stack.url, hubsFolder);
  await stack.close();
}

try {
  await main();
  process.exit(0);
} catch (error) {
  const isExpected = error instanceof StartError || error instanceof EngineError;
  console.error(isExpected ? error.message : error);
  process.exit(1);
}
