// Calls a Hub over MCP, as chats of web hosts do: operations that are tools become tool calls with
// a connector's token, and what no tool offers goes over HTTP beside it.
import assert from 'node:assert/strict';
import type { MemberView } from '../protocol/nouns.ts';
import type { OperationName, OperationRequest } from '../protocol/operations/index.ts';
import { isToolName, tools } from '../protocol/tools.ts';
import { decodeReply } from '../protocol/wire.ts';
import { type Account, type Caller, ChatHost, type Client } from './client.ts';
import type { McpChats, Shown } from './mcp-chats.ts';

type Arguments = Readonly<Record<string, unknown>>;

const nothing = (): Arguments => ({});

/** What a model gives of a request, by tool: the rest of it is no argument. */
const argumentsOf: {
  readonly [Name in OperationName]?: (input: OperationRequest<Name>) => Arguments;
} = {
  status: nothing,
  new_room: ({ name, description }) => ({ name, description }),
  update_room: ({ room: _, ...changes }) => changes,
  join: ({ code, intro, name, as }) => ({ room: code, intro, name, as }),
  leave: nothing,
  members: nothing,
  rename: ({ name }) => ({ name }),
  send: ({ to, body, dm, replyTo }) => ({ to, body, dm, replyTo }),
  inbox: nothing,
  history: ({ before }) => ({ before }),
};

const actsInRoom = (name: string) => isToolName(name) && tools[name].actsInRoom;

/** The token of an account's chats of a host. */
export function chatToken({ connectorToken }: Account, host: ChatHost = 'web'): Promise<string> {
  assert.ok(connectorToken !== undefined, 'the scenario does not say that it needs a chat');
  return connectorToken(host);
}

/** The handle that a join gave on its first line. */
export function handleIn({ text }: Shown): string | undefined {
  return /^Conversation: (\S+)\n/.exec(text)?.[1];
}

/** The MCP binding as a client of scenarios; `http` is used where there is no tool. */
export function mcpClient(chats: McpChats, http: Client): Client {
  /** Handles that joins gave, by the names that scenarios have for the conversations. */
  const handles = new Map<string, string>();

  /** An ID of the Hub's stands for itself; for a chat that never joined one is made up. */
  function handleOf({ room = '', conversation = '' }: Caller): string {
    if (conversation.startsWith('c_')) return `${room}.${conversation}`;
    const [joined = '', id = 'c_0000never0joined'] = handles.get(conversation)?.split('.') ?? [];
    return `${room === '' ? joined : room}.${id}`;
  }

  /** The members that a refusal lists; it has their addresses, and the rest is asked for. */
  async function membersIn({ text }: Shown, caller: Caller): Promise<readonly MemberView[]> {
    const [, list] = text.split('\nMembers now:\n');
    const listed = new Set(list?.match(/(?<=^- )[\w/-]+/gm));
    if (listed.size === 0) return [];
    const { members } = await client.call('members', caller, {});
    return members.filter(({ address }) => listed.has(address));
  }

  const client: Client = {
    binding: 'mcp',
    usualHost: 'web',
    async call(operation, caller, input) {
      const { account, conversation } = caller;
      const write = argumentsOf[operation];
      const host = chatHostOf(operation, caller);
      if (write === undefined || account === undefined || host === undefined) {
        return http.call(operation, caller, input);
      }
      const seat = actsInRoom(operation) ? { conversation: handleOf(caller) } : {};
      const args = { ...seat, ...withoutAbsent(write(input)) };
      const shown = await chats.callTool(await chatToken(account, host), operation, args);
      const handle = handleIn(shown);
      if (handle !== undefined && conversation !== undefined) handles.set(conversation, handle);
      const members = await membersIn(shown, caller);
      return decodeReply(operation, shown.isError ? 400 : 200, envelopeOf(shown, members));
    },
  };
  return client;
}

/** Of which host's chat a call is; observers, the website and hosts with a link have none. */
function chatHostOf(name: OperationName, { host, conversation }: Caller): ChatHost | undefined {
  if (conversation !== undefined) return ChatHost.safeParse(host).data;
  return name === 'join' || actsInRoom(name) ? undefined : 'web';
}

const withoutAbsent = (args: Arguments) =>
  Object.fromEntries(Object.entries(args).filter(([, value]) => value !== undefined));

/** What a tool said, in the envelope of HTTP, where it is held against the operation's schema. */
function envelopeOf({ text, structured, isError }: Shown, members: readonly MemberView[]): string {
  if (!isError) return JSON.stringify({ ok: true, result: structured });
  const [, code, message] = /^Error (\w+): (.*)$/m.exec(text) ?? [];
  const [, seconds] = /allows it again in (\d+) second/.exec(text) ?? [];
  const data = {
    ...(seconds !== undefined && { retryAfterSeconds: Number(seconds) }),
    ...(members.length > 0 && { members }),
  };
  return JSON.stringify({ ok: false, error: { code, message, data } });
}
