// Requirements of the operations on accounts, rooms and members; join has a file of its own.
import { everywhere, httpOnly, requirementsOf } from './requirement.ts';

const section = '2, operations';
const leaving = '2, leave';

export const roomRequirements = [
  ...requirementsOf(section, ['sign-in'], {
    'login.start':
      'login_start needs no credential and gives URL, user code, device code, 5 and 600 seconds.',
    'login.status': 'login_status is pending, approved with token and account, expired or denied.',
    'logout.dead': 'logout kills its token at once and closes its links.',
    'devices.list': 'devices lists id, label, createdAt, expiresAt and which one is current.',
    'devices.revoke':
      'revoke_device works at once and closes the device’s links; an unknown ID is no error.',
    'claim.website-only': 'claim_handle needs a website token.',
  }),
  ...requirementsOf(section, httpOnly, {
    'claim.once':
      'claim_handle gives an account its handle once; it is never changed, repeating it ' +
      'is no error.',
    'claim.taken': 'A handle of another account is name_taken.',
    'new-room.repeat': 'new_room of a known ID gives its account the same room again.',
    'new-room.foreign': 'new_room of an ID that another account used is invalid_input.',
    'update-room.unknown': 'update_room of an unknown room is not_in_room.',
    'delete-room.owner': 'Only the owner deletes a room; another account is forbidden.',
    'delete-room.repeat': 'Deleting a room again is no error.',
    'delete-room.final':
      'Every later operation in a deleted room is not_in_room, for its owner too.',
    'delete-room.code': 'The code of a deleted room is no_such_room.',
    'delete-room.id': 'The ID of a deleted room is never usable again.',
    'delete-room.frees': 'Conversations of a deleted room may join another one.',
    'rename.observer':
      'Without a conversation rename and leave name the member; else invalid_input.',
    'rename.own':
      'Only members of the caller’s account are renamed, by the room’s owner too; else forbidden.',
  }),
  ...requirementsOf(section, everywhere, {
    'status.account': 'status gives the account’s ID and its handle or null.',
    'status.rooms':
      'status lists the rooms the account owns or has a present member in, sorted by name.',
    'new-room.made': 'new_room gives id, name and code of a room that its account owns.',
    'new-room.not-joined': 'new_room does not join.',
    'update-room.changes':
      'update_room changes name, description or code and gives the room’s summary.',
    'update-room.something': 'update_room with nothing to change is invalid_input.',
    'update-room.owner': 'Only the owner updates a room; another account is forbidden.',
    'update-room.rotate': 'A code rotated away is no_such_room at once; members stay.',
    'rename.renamed': 'rename gives the member’s new address.',
    'rename.same': 'The name a member has already is no change.',
    'rename.taken': 'A name that another member of the account has is name_taken.',
    'members.order': 'members lists who is present, by join time.',
  }),
  ...requirementsOf(leaving, httpOnly, {
    'leave.own-account': 'leave of another member of the caller’s own account ends that one.',
    'leave.room-owner': 'The room’s owner ends any member.',
    'leave.foreign':
      'Anyone else’s member is forbidden, an address that is not here no_such_member.',
  }),
  ...requirementsOf(leaving, everywhere, {
    'leave.left': 'leave without a member ends the caller’s own and gives its address.',
    'leave.final': 'A member that left acts and reads no more: not_in_room.',
    'leave.abandons': 'Unread mail of a member that left is abandoned: rejoining finds none of it.',
  }),
] as const;
