// The table of all operations, and the types that follow from it.
import type * as z from 'zod';
import { HubError } from '../errors.ts';
import {
  claimHandle,
  devices,
  loginStart,
  loginStatus,
  logout,
  revokeDevice,
  status,
} from './account.ts';
import { deleteMessage, history, inbox, read, send } from './message.ts';
import { deleteRoom, join, leave, members, newRoom, rename, updateRoom } from './room.ts';

export const operations = {
  login_start: loginStart,
  login_status: loginStatus,
  logout,
  status,
  devices,
  revoke_device: revokeDevice,
  claim_handle: claimHandle,
  new_room: newRoom,
  update_room: updateRoom,
  delete_room: deleteRoom,
  join,
  leave,
  rename,
  members,
  send,
  inbox,
  read,
  history,
  delete_message: deleteMessage,
} as const;

type Operations = typeof operations;

export type OperationName = keyof Operations;

/** What a caller writes. */
export type OperationRequest<Name extends OperationName> = z.input<Operations[Name]['fields']>;

/** What the Hub works with, once parsed. */
export type OperationInput<Name extends OperationName> = z.output<Operations[Name]['input']>;

/** What the Hub answers. */
export type OperationResult<Name extends OperationName> = z.output<Operations[Name]['output']>;

/** The same table, typed so that a schema looked up by a generic name keeps that name's types. */
export const schemasOf: {
  readonly [Name in OperationName]: {
    input: z.ZodType<OperationInput<Name>>;
    output: z.ZodType<OperationResult<Name>>;
  };
} = operations;

export function isOperationName(name: string): name is OperationName {
  return Object.hasOwn(operations, name);
}

/** Issues told one by one; a hostile request can have thousands. */
const issuesShown = 20;
const pathSegmentCharacters = 64;

/** Parses what a caller wrote; throws `invalid_input` with all issues in one message. */
export function parseInput<Name extends OperationName>(
  name: Name,
  request: unknown,
): OperationInput<Name> {
  const parsed = schemasOf[name].input.safeParse(request);
  if (parsed.success) return parsed.data;
  const { issues } = parsed.error;
  const shown = issues.slice(0, issuesShown).map(describeIssue);
  if (issues.length > issuesShown) shown.push(`and ${issues.length - issuesShown} more`);
  throw new HubError('invalid_input', shown.join('; '));
}

function describeIssue({ path, message }: z.core.$ZodIssue): string {
  const place = path.map((segment) => String(segment).slice(0, pathSegmentCharacters)).join('.');
  return place === '' ? message : `${place}: ${message}`;
}
