// Who calls, as Codex tells it with each call: the thread, and whether it is one that may join.
import * as z from 'zod';
import { ConversationId } from '../../protocol/ids.ts';

/** What Codex attaches to a call as `_meta`. Those of hooks carry the thread alone. */
const Meta = z.object({
  threadId: ConversationId,
  sessionId: z.string().optional(),
  callId: z.string().optional(),
  'x-codex-turn-metadata': z
    .object({ thread_source: z.string().optional(), turn_trigger: z.string().optional() })
    .optional(),
});

/** What the handlers in `hooks.json` pass on. */
const HookInput = z.object({ event: z.string(), session: z.string(), cwd: z.string() });

export interface ToolCaller {
  thread: string;
  /** A run of `codex exec`, which ends with its turn. */
  isOneShot: boolean;
}

export interface HookCaller extends z.infer<typeof HookInput> {
  thread: string;
}

/** The top-level thread whose model calls a tool; undefined for subagents and unknown callers. */
export function toolCaller(meta: unknown): ToolCaller | undefined {
  const parsed = Meta.safeParse(meta);
  if (!parsed.success) return undefined;
  const { threadId: thread, sessionId = thread, 'x-codex-turn-metadata': turn } = parsed.data;
  // The session of a subagent is that of the thread which started it.
  if (sessionId !== thread || turn?.thread_source === 'subagent') return undefined;
  return { thread, isOneShot: turn?.turn_trigger === 'exec' };
}

/** The top-level thread whose hook calls; undefined for subagents, and for a model that tries. */
export function hookCaller(meta: unknown, input: unknown): HookCaller | undefined {
  const [parsed, given] = [Meta.safeParse(meta), HookInput.safeParse(input)];
  if (!parsed.success || !given.success) return undefined;
  const { threadId: thread, callId, 'x-codex-turn-metadata': turn } = parsed.data;
  const isModel = callId !== undefined || turn !== undefined;
  if (isModel || given.data.session !== thread) return undefined;
  return { thread, ...given.data };
}
