// What Claude Code writes to a hook's standard input.
import { readFileSync } from 'node:fs';

export interface HookEvent {
  hook_event_name: string;
  session_id: string;
  /** Only inside a subagent, whose session ID is its parent's. */
  agent_id?: unknown;
  /** Only at SessionStart: `startup`, `resume`, `clear`, `compact` or `fork`. */
  source?: unknown;
  /** Only at Stop: whether the turn goes on because of an earlier Stop hook. */
  stop_hook_active?: unknown;
}

const retryMs = 5;
const maxRetries = 200;

/** Undefined if it is nothing of that kind: a hook must never be in the way. */
export function readEvent(): HookEvent | undefined {
  try {
    const event: unknown = JSON.parse(readInput());
    return isEvent(event) ? event : undefined;
  } catch {
    return undefined;
  }
}

function isEvent(event: unknown): event is HookEvent {
  return (
    typeof event === 'object' &&
    event !== null &&
    'hook_event_name' in event &&
    typeof event.hook_event_name === 'string' &&
    'session_id' in event &&
    typeof event.session_id === 'string' &&
    event.session_id !== ''
  );
}

/** Read at once: a stream would take longer to load than all else here. */
function readInput(): string {
  for (let retries = 0; ; retries += 1) {
    try {
      return readFileSync(0, 'utf8');
    } catch (error) {
      // A pipe that does not block has nothing yet.
      const isEarly = error instanceof Error && 'code' in error && error.code === 'EAGAIN';
      if (!isEarly || retries === maxRetries) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, retryMs);
    }
  }
}
