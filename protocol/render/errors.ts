// Errors as an agent reads them: the code, what happened, what to do next (protocol, section 4).
import { type ErrorCode, type HubError, nextStepOf } from '../errors.ts';
import { memberLine } from './members.ts';
import { count, inline } from './plain.ts';

export interface ErrorContext {
  nowMs: number;
  /**
   * The call was an `inbox` of a pull host. Its batch may have been handed over with an answer that
   * was lost, so it must not be repeated (protocol, section 2).
   */
  isPullInbox?: boolean;
}

const readHistoryInstead =
  'Do not repeat the call: the messages may already count as read. Call history to see them.';

/** The text of a tool result with `isError`. */
export function renderError(error: HubError, context: ErrorContext): string {
  return [
    `Error ${error.code}: ${inline(error.message)}`,
    nextStep(error.code, context),
    ...details(error, context.nowMs),
  ].join('\n');
}

function nextStep(code: ErrorCode, { isPullInbox }: ErrorContext): string {
  return code === 'unavailable' && isPullInbox === true ? readHistoryInstead : nextStepOf[code];
}

function details({ data }: HubError, nowMs: number): string[] {
  const lines: string[] = [];
  if (data?.retryAfterSeconds !== undefined) {
    lines.push(`The limit allows it again in ${count(data.retryAfterSeconds, 'second')}.`);
  }
  if (data?.members !== undefined) {
    lines.push('Members now:', ...data.members.map((member) => `- ${memberLine(member, nowMs)}`));
  }
  return lines;
}
