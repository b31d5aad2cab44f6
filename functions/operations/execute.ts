// The one door: every binding calls this, and only this, to have an operation run.
import { HubError, logLevelOf } from '../../protocol/errors.ts';
import {
  type OperationName,
  type OperationResult,
  parseInput,
} from '../../protocol/operations/index.ts';
import type { CallingConversation } from '../../protocol/wire.ts';
import type { Deadline } from '../store/table-port.ts';
import { requirePrincipal } from './enter.ts';
import type { Hub } from './hub.ts';
import {
  implementations,
  type OpenOperation,
  openImplementations,
  type ServedOperation,
} from './index.ts';

/** How long an operation may try: below every client's and gateway's patience. */
const patienceMs = 10_000;

/** A request as a binding decoded it; nothing in it is trusted yet. */
export interface Request<Name extends OperationName = OperationName> {
  readonly operation: Name;
  readonly input: unknown;
  readonly bearer?: string | undefined;
  readonly room?: string | undefined;
  readonly caller?: CallingConversation | undefined;
  /** Address of whoever calls, if the binding knows it. */
  readonly address?: string | undefined;
}

/**
 * Runs one operation. Checks in the protocol's order: input, credential, website host, scope, room,
 * membership. Throws HubError only: a fault becomes `unavailable` and is logged by its name.
 */
export async function execute<Name extends OperationName>(
  hub: Hub,
  request: Request<Name>,
): Promise<OperationResult<Name>> {
  const startedMs = hub.table.nowMs();
  const line = (outcome: string, level: 'info' | 'warn' | 'error', fault?: string) =>
    hub.log({
      level,
      operation: request.operation,
      outcome,
      host: request.caller?.host,
      ms: hub.table.nowMs() - startedMs,
      ...(fault !== undefined && { fault }),
    });
  try {
    const result = await run(hub, request, startedMs);
    line('ok', 'info');
    return result;
  } catch (error) {
    if (error instanceof HubError) {
      line(error.code, logLevelOf[error.code]);
      throw error;
    }
    // An error's text may quote an item, so only its name is told.
    line('unavailable', 'error', error instanceof Error ? error.name : typeof error);
    throw new HubError('unavailable', 'the Hub could not answer; repeat the same call');
  }
}

async function run<Name extends OperationName>(
  hub: Hub,
  request: Request<Name>,
  startedMs: number,
): Promise<OperationResult<Name>> {
  const { operation } = request;
  const deadline = { atMs: startedMs + patienceMs };
  if (isOpen(operation)) return runOpen(hub, { ...request, operation }, deadline);
  if (isServed(operation)) return runServed(hub, { ...request, operation }, deadline);
  throw new HubError('invalid_input', `this Hub does not serve ${operation}`);
}

async function runOpen<Name extends OpenOperation>(
  hub: Hub,
  { operation, input, address }: Request<Name>,
  deadline: Deadline,
): Promise<OperationResult<Name>> {
  const parsed = parseInput(operation, input);
  return openImplementations[operation].run({ hub, deadline, address }, parsed);
}

async function runServed<Name extends ServedOperation>(
  hub: Hub,
  { operation, input, bearer, room, caller }: Request<Name>,
  deadline: Deadline,
): Promise<OperationResult<Name>> {
  const parsed = parseInput(operation, input);
  const principal = await requirePrincipal(hub, bearer, caller);
  return implementations[operation].run({ hub, deadline, principal, room, caller }, parsed);
}

function isOpen<Name extends OperationName>(name: Name): name is Name & OpenOperation {
  return Object.hasOwn(openImplementations, name);
}

function isServed<Name extends OperationName>(name: Name): name is Name & ServedOperation {
  return Object.hasOwn(implementations, name);
}
