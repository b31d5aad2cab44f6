// The hooks through which Codex tells what happens in a thread, and takes text of ours.
import type { Boundary } from '../../bridge/index.ts';

/** The server's name in `.mcp.json`, which hooks and the model's tool names repeat. */
export const serverName = 'tandry';

/** The tool that hooks call. It is not listed, so no model is offered it. */
export const hookToolName = 'codex_hook';

/** How an event lets its turn see a notice. */
interface HookEvent {
  /** Undefined where Codex takes no text. */
  boundary?: Boundary;
  output: (notice: string) => object;
  /** Where Codex allows less than usual; asked for more, it complains at each start. */
  timeoutSeconds?: number;
}

const beside = (hookEventName: string) => (additionalContext: string) => ({
  hookSpecificOutput: { hookEventName, additionalContext },
});

const hookEvents = {
  SessionStart: { boundary: 'prompt', output: beside('SessionStart') },
  UserPromptSubmit: { boundary: 'prompt', output: beside('UserPromptSubmit') },
  PostToolUse: { boundary: 'tool', output: beside('PostToolUse') },
  /** The turn goes on with the reason as its next prompt. */
  Stop: { boundary: 'end', output: (reason) => ({ decision: 'block', reason }) },
  Interrupt: { output: () => ({}), timeoutSeconds: 3 },
} satisfies Readonly<Record<string, HookEvent>>;

export type HookEventName = keyof typeof hookEvents;

export function isHookEventName(name: string): name is HookEventName {
  return Object.hasOwn(hookEvents, name);
}

export function hookEvent(name: HookEventName): HookEvent {
  return hookEvents[name];
}

/** A hook waits for this long at most, so that a stuck plugin does not hold up a turn. */
const hookTimeoutSeconds = 10;

/** `hooks/hooks.json` of the plugin. Only fields that every event has may stand in `input`. */
export function hooksFile(): object {
  const field = (name: string) => `\${${name}}`;
  const handler = (event: string, { timeoutSeconds = hookTimeoutSeconds }: HookEvent) => ({
    type: 'mcp_tool',
    server: serverName,
    tool: hookToolName,
    input: { event, session: field('session_id'), cwd: field('cwd') },
    timeout: timeoutSeconds,
  });
  const hooks = Object.entries(hookEvents).map(([name, event]) => [
    name,
    [{ hooks: [handler(name, event)] }],
  ]);
  return { hooks: Object.fromEntries(hooks) };
}
