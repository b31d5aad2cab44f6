// The clients that real hosts are built with, behind one face: the one of the revisions with
// `initialize`, and the one that speaks the revision of 2026-07-28.
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import * as z from 'zod';

const ToolResult = z.object({
  content: z.array(z.object({ type: z.literal('text'), text: z.string() })).length(1),
  structuredContent: z.record(z.string(), z.unknown()).optional(),
  isError: z.boolean().default(false),
});

/** A tool's result as a host gets it. */
export interface Shown {
  readonly text: string;
  readonly structured: Readonly<Record<string, unknown>> | undefined;
  readonly isError: boolean;
}

export interface McpClient {
  readonly protocolVersion: string | undefined;
  readonly instructions: string | undefined;
  readonly capabilities: object | undefined;
  listTools(): Promise<{ name: string; [field: string]: unknown }[]>;
  call(tool: string, args?: Record<string, unknown>): Promise<Shown>;
  close(): Promise<void>;
}

const info = { name: 'a test, whatever it calls itself', version: '1' };

const requestInit = (token: string) => ({ headers: { authorization: `Bearer ${token}` } });

function shown(result: unknown): Shown {
  const { content, structuredContent, isError } = ToolResult.parse(result);
  return { text: content[0]?.text ?? '', structured: structuredContent, isError };
}

/** Both eras, for tests of each. */
export const eras = {
  async '2025-11-25'(url: string, token: string): Promise<McpClient> {
    const client = new FormerClient(info);
    const transport = new FormerTransport(new URL(`${url}/mcp`), {
      requestInit: requestInit(token),
    });
    await client.connect(transport);
    return {
      protocolVersion: transport.protocolVersion,
      instructions: client.getInstructions(),
      capabilities: client.getServerCapabilities(),
      listTools: async () => (await client.listTools()).tools,
      call: async (name, args) => shown(await client.callTool({ name, arguments: args })),
      close: () => client.close(),
    };
  },
  async '2026-07-28'(url: string, token: string): Promise<McpClient> {
    const client = new Client(info, { versionNegotiation: { mode: { pin: '2026-07-28' } } });
    await client.connect(
      new StreamableHTTPClientTransport(new URL(`${url}/mcp`), { requestInit: requestInit(token) }),
    );
    return {
      protocolVersion: client.getNegotiatedProtocolVersion(),
      instructions: client.getInstructions(),
      capabilities: client.getServerCapabilities(),
      listTools: async () => (await client.listTools()).tools,
      call: async (name, args = {}) => shown(await client.callTool({ name, arguments: args })),
      close: () => client.close(),
    };
  },
} as const;

export type Era = keyof typeof eras;
