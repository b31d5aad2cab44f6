// The events of Claude Code at which the hook program runs.

/** Which tools or kinds an event is about; absent: all. The most seconds a hook may take. */
interface Registration {
  matcher?: string;
  timeoutSeconds: number;
}

/** Tools of the plugin, as hooks know them. */
const ownTools = 'mcp__plugin_tandry_tandry__.*';

export const hookEvents = {
  SessionStart: { timeoutSeconds: 10 },
  UserPromptSubmit: { timeoutSeconds: 10 },
  PreToolUse: { matcher: ownTools, timeoutSeconds: 10 },
  PostToolUse: { timeoutSeconds: 10 },
  PostToolUseFailure: { timeoutSeconds: 10 },
  Stop: { timeoutSeconds: 10 },
  StopFailure: { timeoutSeconds: 10 },
  /** An interrupted turn has no other end. */
  Notification: { matcher: 'idle_prompt', timeoutSeconds: 10 },
  /** Claude Code gives all hooks of this event one and a half seconds together. */
  SessionEnd: { timeoutSeconds: 1 },
} as const satisfies Readonly<Record<string, Registration>>;

export type HookEventName = keyof typeof hookEvents;

export function isHookEventName(name: string): name is HookEventName {
  return Object.hasOwn(hookEvents, name);
}
