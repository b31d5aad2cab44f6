// The tools of a conversation as an MCP server on standard input and output, for hosts that start
// one process per session (protocol, section 4).
import type { Readable, Writable } from 'node:stream';
import { type CallToolResult, Server } from '@modelcontextprotocol/server';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import type { Bridge, ToolResult } from '../../bridge/index.ts';
import { localTools } from '../../protocol/tool-listing.ts';
import { instructions } from '../../protocol/tools.ts';
import { ConfirmingTransport } from './transport.ts';

/** What a host says with a tool call. */
export interface HostCall {
  tool: string;
  args: Readonly<Record<string, unknown>>;
  /** The call's `_meta`, as the host wrote it. */
  meta: Readonly<Record<string, unknown>>;
}

/** Whose call it is: the bridge of its conversation, or the answer to one that has none. */
export type Resolution = { bridge: Pick<Bridge, 'call'> } | { refusal: ToolResult };

/**
 * A tool that the host itself calls, such as a hook; what it returns is the whole text. It is not
 * listed, so that no model is offered it.
 */
export interface HostTool {
  name: string;
  call: (call: HostCall) => string | Promise<string>;
}

export interface ServeOptions {
  /** Of the plugin, as hosts show it. */
  version: string;
  resolve: (call: HostCall) => Resolution | Promise<Resolution>;
  hostTools?: readonly HostTool[];
  /** The host has closed its end; nothing more is served. */
  closed: () => void;
  input?: Readable;
  output?: Writable;
}

/** Serves until the host closes its end; speaks whichever era of MCP the host opens with. */
export function serveTools(options: ServeOptions): { close: () => Promise<void> } {
  const {
    version,
    hostTools = [],
    closed,
    input = process.stdin,
    output = process.stdout,
  } = options;
  const transport = new ConfirmingTransport(input, output, closed);
  const listing = { tools: localTools() };
  return serveStdio(
    () => {
      const server = new Server(
        { name: 'tandry', title: 'Tandry', version },
        { capabilities: { tools: { listChanged: false } }, instructions },
      );
      server.setRequestHandler('tools/list', () => listing);
      server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
        const { id, _meta: meta = {} } = mcpReq;
        const call: HostCall = { tool: params.name, args: params.arguments ?? {}, meta };
        const hostTool = hostTools.find(({ name }) => name === call.tool);
        if (hostTool !== undefined) return shown(await hostTool.call(call), false);
        const { text, isError, delivered } = await perform(options, call);
        transport.whenWritten(id, () => void delivered());
        return shown(text, isError);
      });
      return server;
    },
    { transport },
  );
}

async function perform({ resolve }: ServeOptions, call: HostCall): Promise<ToolResult> {
  const resolution = await resolve(call);
  if ('refusal' in resolution) return resolution.refusal;
  return await resolution.bridge.call(call.tool, call.args);
}

function shown(text: string, isError: boolean): CallToolResult {
  return { content: [{ type: 'text', text }], ...(isError && { isError }) };
}
