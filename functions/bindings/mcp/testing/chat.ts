// A chat of a web host: one client, one account, and the handle of the conversation it joined.
import { ConversationHandle } from '../../../../protocol/ids.ts';
import type { HostKind } from '../../../../protocol/nouns.ts';
import type { Caller } from '../../../testing/test-hub.ts';
import { type Era, eras, type McpClient, type Shown } from './clients.ts';
import { connectorToken, type TestEndpoint } from './serve.ts';

export interface Chat extends McpClient {
  readonly handle: string;
  /** Result of its join. */
  readonly joined: Shown;
  /** The same conversation for a call of an operation. */
  readonly caller: Required<Caller>;
  /** Calls a tool that acts in the room. */
  act(tool: string, args?: Record<string, unknown>): Promise<Shown>;
}

export interface ChatOptions {
  readonly account: string;
  readonly code: string;
  readonly host?: HostKind;
  readonly era?: Era;
  readonly join?: Readonly<Record<string, unknown>>;
}

/** The handle that a join gave on its first line. */
export function handleOf({ text }: Shown): string {
  return /^Conversation: (\S+)\n/.exec(text)?.[1] ?? '';
}

/** Connects and joins. Throws what the tool said if that is refused. */
export async function startChat({ url }: TestEndpoint, options: ChatOptions): Promise<Chat> {
  const { account, code, host = 'claude-web', era = '2026-07-28', join = {} } = options;
  const client = await eras[era](url, connectorToken(account, host));
  const joined = await client.call('join', { room: code, intro: 'A chat on the web.', ...join });
  if (joined.isError) throw new Error(joined.text);
  const handle = handleOf(joined);
  const { room, conversation } = ConversationHandle.parse(handle);
  return {
    ...client,
    handle,
    joined,
    caller: { account, host, room, conversation },
    act: (tool, args = {}) => client.call(tool, { conversation: handle, ...args }),
  };
}
