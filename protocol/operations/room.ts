// Operations of a room and its members (protocol, section 2).
import * as z from 'zod';
import { Address, MemberReference, RoomCode, RoomId, slugMemberName } from '../ids.ts';
import { limits } from '../limits.ts';
import { MemberView, MessageView, RoomSummary, Workspace } from '../nouns.ts';
import { optional, singleLineText, trimmedText } from '../text.ts';
import { defineOperation } from './define.ts';

const RoomName = singleLineText(1, limits.roomNameCharacters);
const RoomDescription = trimmedText(0, limits.roomDescriptionCharacters);
const MemberNameText = singleLineText(1, limits.memberNameTextCharacters);

/** Makes a room of the caller's account. The caller chooses its ID, so a repeat makes no other. */
export const newRoom = defineOperation({
  name: 'new_room',
  scope: 'account',
  input: () =>
    z.object({
      id: RoomId,
      name: RoomName.describe('What people call the room.'),
      description: RoomDescription.describe(
        'What the room is for; every member reads it when it joins.',
      ),
    }),
  output: () => z.object({ id: RoomId, name: z.string(), code: z.string() }),
  errors: ['handle_required', 'limit_reached'],
});

/** Owner only. A rotated code is dead at once; who is in the room stays. */
export const updateRoom = defineOperation({
  name: 'update_room',
  scope: 'account',
  input: () =>
    z.object({
      room: RoomId,
      name: optional(RoomName).describe('The new name.'),
      description: optional(RoomDescription).describe('The new description.'),
      rotateCode: optional(z.boolean()).describe(
        'True makes a new code; the old one stops working.',
      ),
    }),
  rule: {
    holds: ({ name, description, rotateCode }) =>
      name !== undefined || description !== undefined || rotateCode === true,
    message: 'give at least one of name, description and rotateCode',
  },
  output: () => RoomSummary,
  errors: ['not_in_room'],
});

/** Owner only, permanent; repeating it changes nothing. */
export const deleteRoom = defineOperation({
  name: 'delete_room',
  scope: 'account',
  input: () => z.object({ room: RoomId }),
  output: () => z.object({}),
  errors: ['not_in_room'],
});

/**
 * Brings the calling conversation into a room by its code; `room` is for the website member alone.
 * `name` is a proposal in free text, `as` continues a member of the caller's account.
 */
export const join = defineOperation({
  name: 'join',
  scope: 'account',
  caller: 'conversation',
  input: () =>
    z.object({
      code: optional(RoomCode),
      room: optional(RoomId),
      intro: trimmedText(1, limits.introCharacters).describe(
        'A few sentences for the other members: what this conversation is working on.',
      ),
      name: optional(MemberNameText).describe(
        'A short name for this member, taken from its work, such as hub-refactor.',
      ),
      as: optional(MemberReference).describe(
        'Only if your owner asks to continue a member of your account: the name of that member.',
      ),
      workspace: Workspace,
    }),
  rule: {
    holds: ({ code, room }) => (code === undefined) !== (room === undefined),
    message: 'give either code or room',
  },
  output: () =>
    z.object({
      room: z.object({ id: RoomId, name: z.string(), description: z.string() }),
      member: Address,
      outcome: z.enum(['joined', 'reused', 'continued']),
      members: z.array(MemberView),
      /** The latest page, oldest first. */
      history: z.array(MessageView),
      unread: z.int().nonnegative(),
      /** Members of the caller's account that are offline and may be continued with `as`. */
      offline: z.array(Address),
    }),
  errors: [
    'handle_required',
    'no_such_room',
    'already_in_room',
    'not_in_room',
    'no_such_member',
    'limit_reached',
    'rate_limited',
  ],
});

/** Ends a member for good: the caller's own, one of its account, or any if it owns the room. */
export const leave = defineOperation({
  name: 'leave',
  scope: 'room',
  caller: 'member_or_observer',
  input: () => z.object({ member: optional(MemberReference) }),
  output: () => z.object({ left: Address }),
  errors: ['no_such_member'],
});

/** Renames a member of the caller's account; the name it has already is no change. */
export const rename = defineOperation({
  name: 'rename',
  scope: 'room',
  caller: 'member_or_observer',
  input: () =>
    z.object({
      member: optional(MemberReference),
      name: MemberNameText.refine((name) => slugMemberName(name) !== undefined, {
        error: 'a name needs a letter a-z or a digit',
      }).describe('The new member name, such as hub-refactor.'),
    }),
  output: () => z.object({ member: Address }),
  errors: ['no_such_member', 'name_taken'],
});

/** Who is in the room, by join time. */
export const members = defineOperation({
  name: 'members',
  scope: 'room',
  caller: 'member_or_observer',
  input: () => z.object({}),
  output: () => z.object({ members: z.array(MemberView) }),
  errors: [],
});
