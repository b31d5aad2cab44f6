// The MCP server of one request: the tools, and what it says of itself.
import { McpServer, type StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import { type ObjectSchema, remoteTools } from '../../../protocol/tool-listing.ts';
import { instructions } from '../../../protocol/tools.ts';
import { protocolVersion } from '../../../protocol/wire.ts';
import { callTool } from './call-tool.ts';
import type { Session } from './session.ts';

const identity = { name: 'tandry', title: 'Tandry', version: String(protocolVersion) };

/** What is listed changes with a deployment alone, and for everybody. */
const listing = { ttlMs: 5 * 60_000, cacheScope: 'public' } as const;

const listed = remoteTools().map(({ name, inputSchema, outputSchema, ...about }) => ({
  name,
  config: { ...about, inputSchema: declared(inputSchema), outputSchema: declared(outputSchema) },
}));

/** A new server, for one connection: the library takes one per request. */
export function createToolServer(session: Session): McpServer {
  const server = new McpServer(identity, {
    capabilities: { tools: { listChanged: false } },
    instructions,
    cacheHints: { 'tools/list': listing, 'server/discover': listing },
  });
  for (const { name, config } of listed) {
    server.registerTool(name, config, (args) => callTool(session, name, args));
  }
  return server;
}

/**
 * For the list alone: what a tool takes is checked with the tool, so that mistakes read the same.
 */
function declared(schema: ObjectSchema): StandardSchemaWithJSON<unknown> {
  return {
    '~standard': {
      version: 1,
      vendor: 'tandry',
      validate: (value) => ({ value }),
      jsonSchema: { input: () => schema, output: () => schema },
    },
  };
}
