// The table of all operations, and the types that follow from it.
import type * as z from 'zod';
import { parseOrRefuse } from '../parse.ts';
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

/** Every operation by its name on the wire; bindings, clients and tools are derived from it. */
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

/** Parses what a caller wrote; throws `invalid_input` with all issues in one message. */
export function parseInput<Name extends OperationName>(
  name: Name,
  request: unknown,
): OperationInput<Name> {
  return parseOrRefuse(schemasOf[name].input, request);
}
