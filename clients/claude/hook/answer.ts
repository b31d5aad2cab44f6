// What a hook does in a conversation that is in a room, or just calls one of our tools: it says
// whose turn runs, and carries the notice.
import { nodeFiles } from '../../../bridge/node/files/file-access.ts';
import { takeHookNotice } from '../../../bridge/node/files/hook-notice.ts';
import type { Boundary } from '../../../bridge/wake/machine.ts';
import { type ConversationFiles, host, type ProcessFiles } from '../files.ts';
import { plainLine } from '../plain-line.ts';
import type { HookEvent } from './event.ts';
import { type HookEventName, isHookEventName } from './events.ts';

export interface HookContext {
  home: string;
  files: ConversationFiles & ProcessFiles;
  isJoined: boolean;
}

/** The JSON that a hook prints; undefined to print nothing. */
export type HookOutput = { hookSpecificOutput: Readonly<Record<string, string>> } | undefined;

type Handler = (event: HookEvent, context: HookContext) => Promise<HookOutput>;

const subagentReason =
  'Only top-level conversations take part in a Tandry room, subagents do not. Give the result to ' +
  'the conversation that started you; it can say it in the room.';

const joinedNote =
  'This conversation is a member of a Tandry room. While it works, notices of new mail appear ' +
  'here. While it is idle, they start a turn if the skill tandry:join has been used since this ' +
  'session was opened; that does not join anew.';

const handlers: Readonly<Record<HookEventName, Handler>> = {
  SessionStart: async (event, context) => {
    await sayWhoseTurn(event, context);
    // A turn of before ended with its process; compaction happens while one runs.
    if (event.source !== 'compact') await endTurn(context);
    return context.isJoined ? addContext(event, joinedNote) : undefined;
  },
  UserPromptSubmit: (event, context) => carry('prompt', event, context),
  PreToolUse: async (event, context) => {
    await sayWhoseTurn(event, context);
    await beginTurn(context);
    return undefined;
  },
  PostToolUse: (event, context) => carry('tool', event, context),
  PostToolUseFailure: (event, context) => carry('tool', event, context),
  Stop: async (event, context) => {
    // The host ends a turn that goes on again and again, and what it was told then is lost. Mail
    // that is left starts a turn of its own.
    const mayGoOn = event.stop_hook_active !== true;
    const output = mayGoOn ? await carry('end', event, context) : undefined;
    if (output === undefined) await endTurn(context);
    return output;
  },
  StopFailure: async (_event, context) => {
    await endTurn(context);
    return undefined;
  },
  Notification: async (_event, context) => {
    await endTurn(context);
    return undefined;
  },
  SessionEnd: async (_event, context) => {
    await endTurn(context);
    // Whatever the reason, the process may go on with another conversation. Until that one says
    // so, none is shown. If the process ends, the server takes the file away.
    await nodeFiles.write(context.files.session, '');
    return undefined;
  },
};

/** Never rejects: whatever cannot be done must not be in the way of the turn. */
export async function answer(event: HookEvent, context: HookContext): Promise<HookOutput> {
  const { hook_event_name: name } = event;
  if (!isHookEventName(name)) return undefined;
  if (event.agent_id !== undefined) return name === 'PreToolUse' ? deny() : undefined;
  try {
    return await handlers[name](event, context);
  } catch {
    return undefined;
  }
}

async function carry(
  boundary: Boundary,
  event: HookEvent,
  context: HookContext,
): Promise<HookOutput> {
  const { home, isJoined } = context;
  if (!isJoined) return undefined;
  if (boundary === 'prompt') await sayWhoseTurn(event, context);
  await beginTurn(context);
  const conversation = { host, conversation: event.session_id } as const;
  const notice = await takeHookNotice({ home, conversation }, boundary);
  return notice === undefined ? undefined : addContext(event, notice);
}

function addContext({ hook_event_name: hookEventName }: HookEvent, text: string): HookOutput {
  return { hookSpecificOutput: { hookEventName, additionalContext: plainLine(text) } };
}

function deny(): HookOutput {
  return {
    hookSpecificOutput: {
      hookEventName: 'PreToolUse',
      permissionDecision: 'deny',
      permissionDecisionReason: subagentReason,
    },
  };
}

async function sayWhoseTurn(event: HookEvent, context: HookContext): Promise<void> {
  await nodeFiles.write(context.files.session, event.session_id);
}

async function beginTurn(context: HookContext): Promise<void> {
  if (context.isJoined) await nodeFiles.write(context.files.turn, '');
}

async function endTurn(context: HookContext): Promise<void> {
  if (context.isJoined) await nodeFiles.remove(context.files.turn);
}
