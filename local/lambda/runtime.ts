// Runs inside an environment (a child process or a worker): loads the handler once, then answers
// one event at a time, as the Lambda runtime for Node does.
import { existsSync } from 'node:fs';
import { createRequire, flushCompileCache } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parentPort } from 'node:worker_threads';
import { installClockShift } from './clock-shift.ts';
import {
  type FromEnvironment,
  type FunctionError,
  payloadLimitBytes,
  runtimeVariables,
  type ToEnvironment,
} from './messages.ts';

type Handler = (event: unknown, context: object) => unknown;
type Invocation = Extract<ToEnvironment, { kind: 'invoke' }>;

const variable = (name: string) => process.env[name] ?? '';
const setClockShift = installClockShift(Number(variable(runtimeVariables.clockShiftMs)));

function post(message: FromEnvironment): void {
  if (parentPort) parentPort.postMessage(message);
  else process.send?.(message);
}

function asFunctionError(thrown: unknown): FunctionError {
  if (!(thrown instanceof Error)) return { errorType: typeof thrown, errorMessage: String(thrown) };
  const trace = thrown.stack?.split('\n') ?? [];
  return { errorType: thrown.name, errorMessage: thrown.message, trace };
}

async function loadHandler(): Promise<Handler> {
  const [file = '', exported = ''] = variable(runtimeVariables.handler).split('.');
  const path = ['.js', '.mjs', '.cjs']
    .map((extension) => join(variable(runtimeVariables.taskRoot), file + extension))
    .find(existsSync);
  if (path === undefined) throw new Error(`Cannot find module '${file}'`);
  const module: Record<string, unknown> = path.endsWith('.mjs')
    ? await import(pathToFileURL(path).href)
    : createRequire(path)(path);
  const handler = module[exported];
  if (typeof handler !== 'function') throw new Error(`${file}.${exported} is not a function`);
  return (event, context) => handler(event, context);
}

function contextOf({ requestId, timeoutMs, functionArn }: Invocation): object {
  const startedAt = performance.now();
  return {
    awsRequestId: requestId,
    callbackWaitsForEmptyEventLoop: true,
    functionName: variable('AWS_LAMBDA_FUNCTION_NAME'),
    functionVersion: '$LATEST',
    invokedFunctionArn: functionArn,
    logGroupName: variable('AWS_LAMBDA_LOG_GROUP_NAME'),
    logStreamName: variable('AWS_LAMBDA_LOG_STREAM_NAME'),
    memoryLimitInMB: variable('AWS_LAMBDA_FUNCTION_MEMORY_SIZE'),
    getRemainingTimeInMillis: () => Math.max(0, timeoutMs - (performance.now() - startedAt)),
  };
}

async function answer(handler: Handler, invocation: Invocation): Promise<void> {
  const { requestId } = invocation;
  try {
    const result = await handler(JSON.parse(invocation.event), contextOf(invocation));
    const payload = JSON.stringify(result) ?? 'null';
    if (Buffer.byteLength(payload) <= payloadLimitBytes) {
      post({ kind: 'result', requestId, payload });
      return;
    }
    const errorMessage = `Response payload size exceeded maximum allowed payload size (${payloadLimitBytes} bytes).`;
    post({
      kind: 'error',
      requestId,
      error: { errorType: 'Function.ResponseSizeTooLarge', errorMessage },
    });
  } catch (thrown) {
    post({ kind: 'error', requestId, error: asFunctionError(thrown) });
  }
}

function listen(handler: Handler): void {
  const receive = (message: ToEnvironment) => {
    if (message.kind === 'clock') setClockShift(message.shiftMs);
    else void answer(handler, message);
  };
  if (parentPort) parentPort.on('message', receive);
  else process.on('message', receive);
}

// Ctrl-C reaches every process at the terminal: when an environment ends is the runner's to say.
process.on('SIGINT', () => {});
// A runner that died takes its environments with it.
process.on('disconnect', () => process.exit(1));
try {
  listen(await loadHandler());
  flushCompileCache();
  post({ kind: 'ready' });
} catch (thrown) {
  post({ kind: 'initError', error: asFunctionError(thrown) });
}
