// The checks between a credential and an operation: scope, room, membership (protocol, section 2).
import { HubError } from '../../protocol/errors.ts';
import type {
  OperationInput,
  OperationName,
  OperationResult,
  operations,
} from '../../protocol/operations/index.ts';
import type { CallingConversation } from '../../protocol/wire.ts';
import type { Principal } from '../auth/principal.ts';
import { getAccountRoom } from '../store/accounts.ts';
import { getConversation } from '../store/conversations.ts';
import { getSiteMember } from '../store/members.ts';
import { getClock } from '../store/rooms.ts';
import { noteConnectorCall } from './activity.ts';
import type {
  AccountCall,
  ConversationCall,
  Hub,
  MemberCall,
  MemberSeat,
  ObserverSeat,
  OpenCall,
  RoomCall,
} from './hub.ts';

/** A call whose credential was accepted, with what its headers said. */
export interface Entry extends AccountCall {
  readonly room?: string | undefined;
  readonly caller?: CallingConversation | undefined;
}

type Definition<Name extends OperationName> = (typeof operations)[Name];

/** How an operation is entered, by its definition: a wrapper of another kind does not compile. */
export type EntryKind<Name extends OperationName> = Definition<Name>['scope'] extends 'room'
  ? NonNullable<Definition<Name>['caller']>
  : [NonNullable<Definition<Name>['caller']>] extends [never]
    ? 'account'
    : 'conversation';

/** An operation behind its checks. */
export interface Implementation<Name extends OperationName> {
  readonly entry: EntryKind<Name>;
  readonly run: (entry: Entry, input: OperationInput<Name>) => Promise<OperationResult<Name>>;
}

/** An operation that takes no credential. */
export interface OpenImplementation<Name extends OperationName> {
  readonly entry: Definition<Name>['scope'] & 'none';
  readonly run: (call: OpenCall, input: OperationInput<Name>) => Promise<OperationResult<Name>>;
}

export function forAnyone<Input, Result>(
  operation: (call: OpenCall, input: Input) => Promise<Result>,
) {
  return { entry: 'none', run: operation } as const;
}

export function forAccount<Input, Result>(
  operation: (call: AccountCall, input: Input) => Promise<Result>,
) {
  return { entry: 'account', run: operation } as const;
}

export function forConversation<Input, Result>(
  operation: (call: ConversationCall, input: Input) => Promise<Result>,
) {
  return {
    entry: 'conversation',
    run: (entry: Entry, input: Input) =>
      operation({ ...entry, caller: requireCaller(entry) }, input),
  } as const;
}

export function forMember<Input, Result>(
  operation: (call: MemberCall, input: Input) => Promise<Result>,
) {
  return {
    entry: 'member',
    run: async (entry: Entry, input: Input) => {
      const room = requireRoom(entry);
      return operation(await asMember(entry, room, requireCaller(entry)), input);
    },
  } as const;
}

export function forMemberOrObserver<Input, Result>(
  operation: (call: RoomCall, input: Input) => Promise<Result>,
) {
  return {
    entry: 'member_or_observer',
    run: async (entry: Entry, input: Input) => {
      const room = requireRoom(entry);
      if (entry.caller === undefined) return operation(await asObserver(entry, room), input);
      const call = await asMember(entry, room, entry.caller);
      await noteConnectorCall(call);
      return operation(call, input);
    },
  } as const;
}

/** The credential's owner, who may speak as this host. Throws `not_logged_in`, `forbidden`. */
export async function requirePrincipal(
  hub: Hub,
  bearer: string | undefined,
  caller: CallingConversation | undefined,
): Promise<Principal> {
  const principal = bearer === undefined ? undefined : await hub.authenticate(bearer);
  if (principal === undefined) {
    throw new HubError('not_logged_in', 'the credential is missing, expired or unknown');
  }
  if (caller?.host === 'website' && principal.kind !== 'website') {
    throw new HubError('forbidden', 'only a signed-in website session speaks as the website');
  }
  return principal;
}

function requireRoom({ room }: Entry): string {
  if (room === undefined) throw new HubError('invalid_input', 'the header tandry-room is missing');
  return room;
}

function requireCaller({ caller }: Entry): CallingConversation {
  if (caller !== undefined) return caller;
  throw new HubError(
    'invalid_input',
    'the headers tandry-host and tandry-conversation are missing',
  );
}

const gone = () =>
  new HubError('not_in_room', 'this conversation is not a member of this room (any more)');

async function asMember(
  entry: Entry,
  room: string,
  caller: CallingConversation,
): Promise<MemberCall> {
  const { hub, principal } = entry;
  const [clock, stay] = await Promise.all([
    getClock(hub.table, room),
    findStay(entry, principal, room, caller),
  ]);
  if (clock === undefined || clock.deletedAt !== undefined || stay === undefined) throw gone();
  const seat: MemberSeat = { kind: 'member', room, caller, ...stay };
  return { ...entry, clock, seat };
}

/** The one conversation the website has in every room (protocol, section 2, website member). */
export const siteConversation = 'site';

/** The website's conversation has one member per room; any other conversation is in one room. */
async function findStay(
  { hub }: Entry,
  { account }: Principal,
  room: string,
  caller: CallingConversation,
): Promise<{ no: number; epoch: number } | undefined> {
  if (caller.host === 'website') {
    if (caller.conversation !== siteConversation) return undefined;
    return getSiteMember(hub.table, room, account);
  }
  const row = await getConversation(hub.table, { account, ...caller });
  if (row?.room !== room || row.no === undefined) return undefined;
  return { no: row.no, epoch: row.epoch };
}

async function asObserver(entry: Entry, room: string): Promise<RoomCall<ObserverSeat>> {
  const { hub, principal } = entry;
  const [clock, row] = await Promise.all([
    getClock(hub.table, room),
    getAccountRoom(hub.table, principal.account, room),
  ]);
  if (clock === undefined || clock.deletedAt !== undefined) {
    throw new HubError('not_in_room', 'there is no such room');
  }
  if (row === undefined || (!row.isOwner && row.present.length === 0)) {
    throw new HubError('forbidden', 'this account neither owns the room nor has a member in it');
  }
  const seat: ObserverSeat = { kind: 'observer', room, isOwner: row.isOwner, stays: row.stays };
  return { ...entry, clock, seat };
}
