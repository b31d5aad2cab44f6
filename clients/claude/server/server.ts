// The MCP server of the plugin: one process per session of Claude Code, for whichever conversation
// the session shows.
import { homeFolder } from '../../../bridge/node/index.ts';
import { serveTools } from '../../mcp/serve.ts';
import { Session } from './session.ts';

/** Set by the build of the clients. */
declare const TANDRY_BUILD_VERSION: string;

const { CLAUDE_CODE_SESSION_ID: spawnedFor, CLAUDE_PROJECT_DIR: project } = process.env;

const session = new Session({
  home: homeFolder(process.env),
  // Claude Code starts servers itself and tells them no process ID.
  pid: process.ppid,
  spawnedFor,
  folder: project ?? process.cwd(),
});
session.start();
const served = serveTools({
  version: TANDRY_BUILD_VERSION,
  resolve: () => session.resolve(),
  closed: () => void session.close().finally(() => process.exit()),
});
// Hosts end servers by a signal too, with the input still open.
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => void served.close());
}
