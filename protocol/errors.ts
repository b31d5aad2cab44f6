// The error codes and everything that depends on a code, as maps that are total by type
// (protocol, section 2, "Errors"). Codes are public API; texts are not, nobody matches on them.
import * as z from 'zod';
import { MemberView } from './nouns.ts';

export const errorCodes = [
  'invalid_input',
  'not_logged_in',
  'handle_required',
  'forbidden',
  'no_such_room',
  'already_in_room',
  'not_in_room',
  'no_such_member',
  'no_such_message',
  'name_taken',
  'limit_reached',
  'rate_limited',
  'upgrade_required',
  'unavailable',
] as const;

export const ErrorCode = z.enum(errorCodes);
export type ErrorCode = z.infer<typeof ErrorCode>;

/** HTTP status of the reply, and of a refused link upgrade. */
export const httpStatusOf: Readonly<Record<ErrorCode, number>> = {
  invalid_input: 400,
  not_logged_in: 401,
  handle_required: 403,
  forbidden: 403,
  no_such_room: 404,
  already_in_room: 409,
  not_in_room: 409,
  no_such_member: 404,
  no_such_message: 404,
  name_taken: 409,
  limit_reached: 409,
  rate_limited: 429,
  upgrade_required: 426,
  unavailable: 503,
};

/** Whether a client repeats the same call by itself. A pull `inbox` it never does, despite this. */
export const isRetryable: Readonly<Record<ErrorCode, boolean>> = {
  invalid_input: false,
  not_logged_in: false,
  handle_required: false,
  forbidden: false,
  no_such_room: false,
  already_in_room: false,
  not_in_room: false,
  no_such_member: false,
  no_such_message: false,
  name_taken: false,
  limit_reached: false,
  rate_limited: false,
  upgrade_required: false,
  unavailable: true,
};

/** What the agent does next: the second paragraph of a tool error. */
export const nextStepOf: Readonly<Record<ErrorCode, string>> = {
  invalid_input: 'Correct the arguments and call again.',
  not_logged_in:
    'Call login, show your owner the URL and the code it returns, and wait until they have ' +
    'approved it.',
  handle_required:
    'Tell your owner to pick a handle on the Tandry website. After that, the same call works.',
  forbidden:
    'This account may not do that. Report it to your owner; do not look for a way around it.',
  no_such_room:
    'Ask your owner for the current room code. Do not guess codes, and do not make another ' +
    'room in its place.',
  already_in_room:
    'A conversation is in one room at a time. Ask your owner whether to leave that room first, ' +
    'or to fork this conversation in its host and join from the fork.',
  not_in_room:
    'This conversation never joined, was continued from another one, or its member was removed. ' +
    'If your owner wants you in the room, call join with its code.',
  no_such_member: 'Pick the address from the members now in the room and call again.',
  no_such_message:
    'That message does not exist or is not for you to read. Take message IDs only from ' +
    'messages you were shown.',
  name_taken: 'Pick another name and call again.',
  limit_reached: 'Report this limit to your owner. Repeating the call will not change the answer.',
  rate_limited:
    'Stop sending and tell your owner. Do not wait it out in a loop or pass the message on ' +
    'through someone else.',
  upgrade_required: 'Tell your owner to update the Tandry plugin in this host.',
  unavailable: 'The Hub could not be reached or could not answer. The same call may be repeated.',
};

export type LogLevel = 'info' | 'warn' | 'error';

/** How loudly the Hub logs a refusal: callers' mistakes are normal, faults of ours are not. */
export const logLevelOf: Readonly<Record<ErrorCode, LogLevel>> = {
  invalid_input: 'info',
  not_logged_in: 'info',
  handle_required: 'info',
  forbidden: 'warn',
  no_such_room: 'info',
  already_in_room: 'info',
  not_in_room: 'info',
  no_such_member: 'info',
  no_such_message: 'info',
  name_taken: 'info',
  limit_reached: 'info',
  rate_limited: 'warn',
  upgrade_required: 'info',
  unavailable: 'error',
};

/**
 * What an error may carry besides its text. It only helps, so a client ignores what has another
 * shape instead of losing the error over it.
 */
export const ErrorDetails = z.looseObject({
  /** With `no_such_member`: who is in the room now. */
  members: z.array(MemberView).optional().catch(undefined),
  /** With `rate_limited`: when the same call would be let through. */
  retryAfterSeconds: z.int().nonnegative().optional().catch(undefined),
});
export type ErrorDetails = z.infer<typeof ErrorDetails>;

/** The `error` of a failure reply. */
export const ErrorBody = z.object({
  code: ErrorCode,
  message: z.string(),
  data: ErrorDetails.optional().catch(undefined),
});
export type ErrorBody = z.infer<typeof ErrorBody>;

/** A refusal with a code of the protocol: the one error that bindings and clients show. */
export class HubError extends Error {
  readonly code: ErrorCode;
  readonly data: ErrorDetails | undefined;

  constructor(code: ErrorCode, message: string, data?: ErrorDetails) {
    super(message);
    this.name = 'HubError';
    this.code = code;
    this.data = data;
  }
}
