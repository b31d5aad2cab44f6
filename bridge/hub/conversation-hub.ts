// The Hub as one conversation calls it: with the credentials of the device, as that conversation,
// in the room it is in.
import { HubError } from '../../protocol/errors.ts';
import type { RoomId } from '../../protocol/ids.ts';
import {
  type OperationName,
  type OperationRequest,
  type OperationResult,
  operations,
} from '../../protocol/operations/index.ts';
import type { CallingConversation } from '../../protocol/wire.ts';
import type { Store } from '../store.ts';
import type { HubClient } from './hub-client.ts';

export interface CallOptions {
  /** For operations of a room: the room this conversation is in. */
  room?: RoomId | undefined;
  /** Whether a failed call is repeated; the default. */
  isRepeated?: boolean;
}

/** Performs an operation; rejects with HubError, or NoHubError if no Hub is configured. */
export type ConversationHub = <Name extends OperationName>(
  operation: Name,
  request: OperationRequest<Name>,
  options?: CallOptions,
) => Promise<OperationResult<Name>>;

export function createConversationHub(
  client: HubClient,
  store: Pick<Store, 'session'>,
  conversation: CallingConversation,
): ConversationHub {
  return async (operation, request, { room, isRepeated = true } = {}) => {
    const { scope, caller } = operations[operation];
    const { hub, token } = await store.session();
    if (scope !== 'none' && token === undefined) {
      throw new HubError('not_logged_in', 'this device is not signed in');
    }
    const call = {
      hub,
      token: scope === 'none' ? undefined : token,
      room: scope === 'room' ? room : undefined,
      caller: caller === undefined ? undefined : conversation,
    };
    return await client.call(operation, request, call, { isRepeated });
  };
}

export function isRefusal(error: unknown, code: HubError['code']): boolean {
  return error instanceof HubError && error.code === code;
}
