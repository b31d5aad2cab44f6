// The total table of operations this Hub serves, each behind the checks its definition asks for.
import type { OperationName } from '../../protocol/operations/index.ts';
import { claimHandle } from './claim-handle.ts';
import { deleteMessage } from './delete-message.ts';
import { deleteRoom } from './delete-room.ts';
import {
  forAccount,
  forConversation,
  forMember,
  forMemberOrObserver,
  type Implementation,
} from './enter.ts';
import { history } from './history.ts';
import { inbox } from './inbox.ts';
import { join } from './join.ts';
import { leave } from './leave.ts';
import { members } from './members.ts';
import { newRoom } from './new-room.ts';
import { read } from './read.ts';
import { rename } from './rename.ts';
import { send } from './send.ts';
import { status } from './status.ts';
import { updateRoom } from './update-room.ts';

/** Signing a device in and out comes with the authorization server that issues its tokens. */
type DeviceOperation = 'login_start' | 'login_status' | 'logout' | 'devices' | 'revoke_device';

export type ServedOperation = Exclude<OperationName, DeviceOperation>;

export const implementations: { readonly [Name in ServedOperation]: Implementation<Name> } = {
  status: forAccount(status),
  claim_handle: forAccount(claimHandle),
  new_room: forAccount(newRoom),
  update_room: forAccount(updateRoom),
  delete_room: forAccount(deleteRoom),
  join: forConversation(join),
  leave: forMemberOrObserver(leave),
  rename: forMemberOrObserver(rename),
  members: forMemberOrObserver(members),
  send: forMember(send),
  inbox: forMember(inbox),
  read: forMember(read),
  history: forMemberOrObserver(history),
  delete_message: forMemberOrObserver(deleteMessage),
};
