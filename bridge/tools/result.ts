// Results of tool calls as a host gets them.
import { HubError } from '../../protocol/errors.ts';
import { type ErrorContext, renderError } from '../../protocol/render/errors.ts';
import { NoHubError } from '../store.ts';

export interface ToolResult {
  text: string;
  isError: boolean;
  /**
   * To be called once the text stands in a tool result of the host, and only then: it moves the
   * reading position past the messages that the text shows. Resolves when that is done, never
   * rejects. Without it the same messages come again. Results without messages do nothing.
   */
  delivered: () => Promise<void>;
}

const nothingToConfirm = () => Promise.resolve();

export function toolResult(text: string, delivered = nothingToConfirm): ToolResult {
  return { text, isError: false, delivered };
}

/** Says what went wrong and what to do next. */
export function toolError(error: unknown, context: ErrorContext): ToolResult {
  return { text: errorText(error, context), isError: true, delivered: nothingToConfirm };
}

function errorText(error: unknown, context: ErrorContext): string {
  if (error instanceof NoHubError) return error.message;
  if (error instanceof HubError) return renderError(error, context);
  // Texts of unforeseen errors may quote anything, so only their kind is shown.
  const kind = error instanceof Error ? error.name : typeof error;
  return renderError(new HubError('unavailable', `the Tandry plugin failed (${kind})`), context);
}

/** The answer to a tool call from a subagent or child conversation (protocol, section 4). */
export function subagentRefusal(): ToolResult {
  // The usual next step, to join with a code, is not its to take.
  const text =
    'Error not_in_room: only top-level conversations can join a room\n' +
    'Give the result to the conversation that started you; it can say it in the room.';
  return { text, isError: true, delivered: nothingToConfirm };
}
