// A tool call: arguments to an operation's request, execute, result to text and structured content
// (protocol, section 4). A refusal is a result too, never a protocol error.
import type { CallToolResult } from '@modelcontextprotocol/server';
import { HubError } from '../../../protocol/errors.ts';
import {
  type ConversationHandle,
  formatConversationHandle,
  type IdPrefix,
  mintId,
} from '../../../protocol/ids.ts';
import type { OperationResult } from '../../../protocol/operations/index.ts';
import { remoteContent } from '../../../protocol/remote-content.ts';
import { mintNonce } from '../../../protocol/render/envelope.ts';
import { renderError } from '../../../protocol/render/errors.ts';
import { type ResultContext, renderResult } from '../../../protocol/render/results.ts';
import { type ToolSurroundings, toolRequest } from '../../../protocol/tool-requests.ts';
import {
  type OperationTool,
  parseRemoteInput,
  parseToolInput,
  type ToolInput,
  tools,
} from '../../../protocol/tools.ts';
import { execute } from '../../operations/execute.ts';
import { fitResult } from './pages.ts';
import type { Session } from './session.ts';

const idRandomBytes = 10;
const nonceRandomBytes = 6;
/** A chat on the web works in no repository. */
const workspace = { repo: '', branch: '' };

/** Runs a tool with the arguments an agent gave. Never throws. */
export async function callTool(
  session: Session,
  name: OperationTool,
  args: unknown,
): Promise<CallToolResult> {
  try {
    return await (name === 'join' ? join(session, args) : act(session, name, args));
  } catch (error) {
    const { table } = session.hub;
    const context = { nowMs: table.nowMs(), isPullInbox: name === 'inbox' };
    const text = renderError(refusalOf(session, name, error), context);
    return { content: [{ type: 'text', text }], isError: true };
  }
}

async function join(session: Session, args: unknown): Promise<CallToolResult> {
  const { hub, bearer, host } = session;
  const input = parseToolInput('join', args);
  const caller = { host, conversation: newId(session, 'c_') };
  const request = toolRequest('join', input, surroundings(session));
  const joined = await execute(hub, { operation: 'join', input: request, bearer, caller });
  const handle = formatConversationHandle({ ...caller, room: joined.room.id });
  return answer(session, 'join', joined, { conversation: handle, roomCode: input.room });
}

/** Any tool but join: as the member that the handle names, or as the account alone. */
async function act<Name extends Exclude<OperationTool, 'join'>>(
  session: Session,
  name: Name,
  args: unknown,
): Promise<CallToolResult> {
  const { hub, bearer, host } = session;
  const { input, seat } = readArguments(name, args);
  const caller = seat && { host, conversation: seat.conversation };
  const call = { bearer, room: seat?.room, caller };
  // The operation asks for the owner only; a chat that left may not change the room any more.
  if (name === 'update_room')
    await execute(hub, { operation: 'read', input: { upTo: 0 }, ...call });
  const request = toolRequest(name, input, surroundings(session, seat?.room));
  const result = await execute(hub, { operation: name, input: request, ...call });
  return answer(session, name, result);
}

function readArguments<Name extends OperationTool>(
  name: Name,
  args: unknown,
): { input: ToolInput<Name>; seat?: ConversationHandle } {
  if (!tools[name].actsInRoom) return { input: parseToolInput(name, args) };
  const input = parseRemoteInput(name, args);
  return { input, seat: input.conversation };
}

function answer<Name extends OperationTool>(
  { hub }: Session,
  name: Name,
  whole: OperationResult<Name>,
  about: Pick<ResultContext, 'conversation' | 'roomCode'> = {},
): CallToolResult {
  const result = fitResult(name, whole);
  const nonce = mintNonce(hub.randomBytes(nonceRandomBytes));
  const text = renderResult(name, result, { ...about, nonce, nowMs: hub.table.nowMs() });
  return {
    content: [{ type: 'text', text }],
    structuredContent: remoteContent(name, result, about.conversation ?? ''),
  };
}

function surroundings(session: Session, room = ''): ToolSurroundings {
  return { newId: (prefix) => newId(session, prefix), workspace, room };
}

function newId({ hub }: Session, prefix: IdPrefix): string {
  return mintId(prefix, hub.table.nowMs(), hub.randomBytes(idRandomBytes));
}

/** What is no refusal is a fault of ours, told by its name alone. */
function refusalOf(
  { hub, host, startedMs }: Session,
  operation: OperationTool,
  error: unknown,
): HubError {
  if (error instanceof HubError) return error;
  const fault = error instanceof Error ? error.name : typeof error;
  const ms = hub.table.nowMs() - startedMs;
  hub.log({ level: 'error', operation, outcome: 'unavailable', host, ms, fault });
  return new HubError('unavailable', 'the Hub could not answer');
}
