// The total table of operations this Hub serves, each behind the checks its definition asks for.
import type { OperationName } from '../../protocol/operations/index.ts';
import { claimHandle } from './claim-handle.ts';
import { deleteMessage } from './delete-message.ts';
import { deleteRoom } from './delete-room.ts';
import { devices } from './devices.ts';
import {
  forAccount,
  forAnyone,
  forConversation,
  forMember,
  forMemberOrObserver,
  type Implementation,
  type OpenImplementation,
} from './enter.ts';
import { history } from './history.ts';
import { inbox } from './inbox.ts';
import { join } from './join.ts';
import { leave } from './leave.ts';
import { loginStart } from './login-start.ts';
import { loginStatus } from './login-status.ts';
import { logout } from './logout.ts';
import { members } from './members.ts';
import { newRoom } from './new-room.ts';
import { read } from './read.ts';
import { rename } from './rename.ts';
import { revokeDevice } from './revoke-device.ts';
import { send } from './send.ts';
import { status } from './status.ts';
import { updateRoom } from './update-room.ts';

/** What is asked before there is a credential. */
export type OpenOperation = 'login_start' | 'login_status';

export const openImplementations: { readonly [Name in OpenOperation]: OpenImplementation<Name> } = {
  login_start: forAnyone(loginStart),
  login_status: forAnyone(loginStatus),
};

export type ServedOperation = Exclude<OperationName, OpenOperation>;

export const implementations: { readonly [Name in ServedOperation]: Implementation<Name> } = {
  logout: forAccount(logout),
  status: forAccount(status),
  devices: forAccount(devices),
  revoke_device: forAccount(revokeDevice),
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
