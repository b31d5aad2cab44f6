// Chats of web hosts at a Hub's `/mcp`: one connection per token, through the library that hosts
// are built with. It holds every result against the schema that the Hub declares for it.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import * as z from 'zod';

const ToolResult = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })).length(1),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().default(false),
});

const ListedTool = z.looseObject({
  name: z.string(),
  description: z.string(),
  inputSchema: z.looseObject({
    properties: z.record(z.string(), z.unknown()).default({}),
    required: z.array(z.string()).default([]),
  }),
  outputSchema: z.looseObject({}),
  annotations: z.record(z.string(), z.unknown()),
});
export type ListedTool = z.infer<typeof ListedTool>;

/** A tool's result as a host gets it. */
export interface Shown {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>> | undefined;
  readonly isError: boolean;
}

export interface McpChats {
  /** Calls a tool as whoever has the token. */
  callTool(token: string, name: string, args: Readonly<Record<string, unknown>>): Promise<Shown>;
  listTools(token: string): Promise<readonly ListedTool[]>;
  /** Ends all connections. */
  close(): Promise<void>;
}

/** @param url the Hub's address, without a slash at the end */
export function mcpChats(url: string): McpChats {
  const clients = new Map<string, Promise<Client>>();

  async function connect(token: string): Promise<Client> {
    const client = new Client({ name: 'claude.ai', version: '1' });
    const requestInit = { headers: { authorization: `Bearer ${token}` } };
    await client.connect(new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit }));
    // What was listed is what results are held against.
    await client.listTools();
    return client;
  }

  function clientOf(token: string): Promise<Client> {
    const client = clients.get(token) ?? connect(token);
    clients.set(token, client);
    return client;
  }

  return {
    async callTool(token, name, args) {
      const client = await clientOf(token);
      const result = ToolResult.parse(await client.callTool({ name, arguments: { ...args } }));
      const { content, structuredContent, isError } = result;
      return { text: content[0]?.text ?? '', structured: structuredContent, isError };
    },
    async listTools(token) {
      return z.array(ListedTool).parse((await (await clientOf(token)).listTools()).tools);
    },
    async close() {
      const all = [...clients.values()];
      clients.clear();
      for (const client of all) await (await client).close();
    },
  };
}
