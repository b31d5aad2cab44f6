// What one scenario has at hand: accounts, rooms of its own, members in them. All of it is new for
// every scenario, and the rooms are deleted after it.
import { randomBytes } from 'node:crypto';
import { type IdPrefix, mintId } from '../protocol/ids.ts';
import type { HostKind, MessageView } from '../protocol/nouns.ts';
import { tierOf } from '../protocol/nouns.ts';
import type { OperationRequest, OperationResult } from '../protocol/operations/index.ts';
import type { Account, Caller, Client } from './client.ts';
import type { SendRaw } from './http-client.ts';
import type { McpChats } from './mcp-chats.ts';
import type { RoomLinks } from './room-links.ts';

export interface Room {
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly owner: Account;
}

/** A member, as whom calls are made. */
export interface Seat extends Caller {
  readonly account: Account;
  readonly room: string;
  readonly address: string;
  readonly joined: OperationResult<'join'>;
}

export type JoinOptions = Pick<Caller, 'host' | 'conversation'> &
  Partial<Pick<OperationRequest<'join'>, 'name' | 'as' | 'intro' | 'workspace'>>;

export type Message = Partial<OperationRequest<'send'>>;

/** What is there of a Hub and its surroundings. */
export interface Surroundings {
  readonly client: Client;
  /** One to three accounts with handles. */
  readonly accounts: readonly Account[];
  /** Signs up somebody new, who has no handle yet unless one is given. */
  readonly newAccount?: ((handle?: string) => Promise<Account>) | undefined;
  /** Moves the Hub's time forward. */
  readonly advanceMs?: ((ms: number) => void) | undefined;
}

export type World = ReturnType<typeof createWorld>;

/** A world over HTTP, where requests can also be written by hand. */
export interface HttpWorld extends World {
  readonly http: SendRaw;
}

/** A world over MCP, where tools can also be called as a host calls them. */
export interface McpWorld extends HttpWorld {
  readonly chats: McpChats;
}

/** A world over HTTP, where conversations can also open their room link. */
export interface LinkWorld extends McpWorld {
  readonly openLink: RoomLinks['open'];
  readonly listen: RoomLinks['listen'];
}

export const emptyWorkspace = { repo: '', branch: '' };

/** An ID of the form clients make. */
export function newId(prefix: IdPrefix): string {
  return mintId(prefix, Date.now(), randomBytes(10));
}

/** A conversation ID that nobody used before. */
export function newConversation(): string {
  return `conformance-${randomBytes(8).toString('hex')}`;
}

function requirePart<Part>(part: Part | undefined, name: string): Part {
  if (part !== undefined) return part;
  throw new Error(`the scenario does not say that it needs ${name}`);
}

export function createWorld({ client, accounts, newAccount, advanceMs }: Surroundings) {
  const rooms: Room[] = [];
  const { call } = client;

  async function newRoom(owner: Account, about: { name?: string; description?: string } = {}) {
    const { name = 'Conformance', description = '' } = about;
    const made = await call('new_room', { account: owner }, { id: newId('r_'), name, description });
    const room: Room = { ...made, owner };
    rooms.push(room);
    return room;
  }

  /** Joins by code; without a conversation given, from a new one. */
  async function join(account: Account, room: Room, options: JoinOptions = {}): Promise<Seat> {
    const { host = client.usualHost, conversation = newConversation(), ...rest } = options;
    const caller = { account, host, conversation };
    const joined = await call('join', caller, {
      code: room.code,
      intro: 'Here to see whether the protocol holds.',
      workspace: emptyWorkspace,
      ...rest,
    });
    return { ...caller, room: room.id, address: joined.member, joined };
  }

  /** Joins as the website's member. */
  async function joinAsWebsite(account: Account, room: Room): Promise<Seat> {
    const caller = { account, host: 'website', conversation: 'site' } as const;
    const input = { room: room.id, intro: 'A person.', workspace: emptyWorkspace };
    const joined = await call('join', caller, input);
    return { ...caller, room: room.id, address: joined.member, joined };
  }

  async function say(seat: Seat, message: Message = {}) {
    return call('send', seat, { id: newId('m_'), to: [], body: 'A message.', ...message });
  }

  /** The next inbox batch, read. */
  async function take(seat: Seat): Promise<OperationResult<'inbox'>> {
    const batch = await call('inbox', seat, {});
    const host: HostKind = seat.host ?? client.usualHost;
    if (tierOf[host] === 'push') await call('read', seat, { upTo: batch.upTo });
    return batch;
  }

  async function deleteRooms(): Promise<void> {
    for (const { id, owner } of rooms) await call('delete_room', { account: owner }, { room: id });
  }

  return {
    client,
    call,
    newRoom,
    join,
    joinAsWebsite,
    say,
    take,
    deleteRooms,
    get alice() {
      return requirePart(accounts[0], 'an account');
    },
    get bob() {
      return requirePart(accounts[1], 'two accounts');
    },
    get carol() {
      return requirePart(accounts[2], 'three accounts');
    },
    newAccount: (handle?: string) => requirePart(newAccount, 'new accounts')(handle),
    advanceMs: (ms: number) => requirePart(advanceMs, 'the clock')(ms),
  };
}

/** The room's messages as seen without a conversation. */
export function observer(account: Account, room: Room): Caller {
  return { account, room: room.id };
}

export function addressesOf(views: readonly { readonly address: string }[]): string[] {
  return views.map(({ address }) => address);
}

export function bodiesOf(messages: readonly MessageView[]): string[] {
  return messages.map(({ body }) => body);
}

/** A room of alice's with a member of each account, who all joined in this order. */
export async function meet(world: World) {
  const room = await world.newRoom(world.alice);
  const ann = await world.join(world.alice, room, { name: 'ann' });
  const ben = await world.join(world.bob, room, { name: 'ben' });
  const cat = await world.join(world.carol, room, { name: 'cat' });
  return { room, ann, ben, cat };
}
