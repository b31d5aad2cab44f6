// The plugin's MCP server, which Codex starts for each thread: the agent's tools, and the tool that
// hooks call.
import { createNodeBridge, systemClock } from '../../bridge/node/index.ts';
import { serveTools } from '../mcp/serve.ts';
import { hookToolName } from './hooks.ts';
import { queuePrompt } from './queue.ts';
import { CodexThreads } from './threads.ts';

declare const TANDRY_BUILD_VERSION: string;

/** Where no repository is: this process runs in the plugin's folder, which says nothing. */
const nowhere = '/';

const threads = new CodexThreads({
  clock: systemClock,
  queue: queuePrompt,
  createBridge: ({ thread, shell, folder }) =>
    createNodeBridge({
      host: 'codex',
      conversation: thread,
      shell,
      folder: () => folder() ?? nowhere,
    }),
});

serveTools({
  version: TANDRY_BUILD_VERSION,
  resolve: ({ tool, args, meta }) => ({
    bridge: { call: () => threads.call(tool, { args, meta }) },
  }),
  hostTools: [{ name: hookToolName, call: ({ args, meta }) => threads.hook({ args, meta }) }],
  closed: () => void threads.dispose().finally(() => process.exit()),
});
