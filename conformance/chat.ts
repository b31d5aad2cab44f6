// A chat of a web host as scenarios meet it: its tools as they are called, and the results as its
// agent reads them.
import assert from 'node:assert/strict';
import { ConversationHandle } from '../protocol/ids.ts';
import type { Account, Caller, ChatHost } from './client.ts';
import type { Shown } from './mcp-chats.ts';
import { chatToken, handleIn } from './mcp-client.ts';
import type { McpWorld, Room } from './world.ts';

export interface Chat {
  readonly handle: string;
  /** Result of its join. */
  readonly joined: Shown;
  readonly address: string;
  /** The same conversation for calls of operations. */
  readonly caller: Required<Caller> & { readonly account: Account };
  /** Calls a tool that acts in the room. */
  act(tool: string, args?: Readonly<Record<string, unknown>>): Promise<Shown>;
}

export interface ChatOptions {
  readonly host?: ChatHost;
  readonly join?: Readonly<Record<string, unknown>>;
}

/** Calls a tool of an account's chat, as a model gives the arguments. */
export async function callTool(
  { chats }: McpWorld,
  account: Account,
  tool: string,
  args: Readonly<Record<string, unknown>> = {},
  host: ChatHost = 'web',
): Promise<Shown> {
  return chats.callTool(await chatToken(account, host), tool, args);
}

/** Joins a room as a new chat. */
export async function joinAsChat(
  world: McpWorld,
  account: Account,
  room: Room,
  { host = 'web', join = {} }: ChatOptions = {},
): Promise<Chat> {
  const args = { room: room.code, intro: 'A chat on the web.', ...join };
  const joined = await callTool(world, account, 'join', args, host);
  assert.ok(!joined.isError, joined.text);
  const handle = handleIn(joined) ?? '';
  return {
    handle,
    joined,
    address: String(joined.structured?.['member']),
    caller: { account, host, ...ConversationHandle.parse(handle) },
    act: (tool, given = {}) =>
      callTool(world, account, tool, { conversation: handle, ...given }, host),
  };
}

/** Asserts that a tool refused with that code, and gives what it said. */
export function refusedTool(code: string, { isError, text }: Shown): string {
  assert.ok(isError && text.startsWith(`Error ${code}: `), `expected ${code}, got ${text}`);
  return text;
}
