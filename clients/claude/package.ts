// The plugin as Claude Code installs it: a marketplace with one plugin in it.
import { join } from 'node:path';
import { commands } from '../commands.ts';
import type { ClientPackage } from '../package.ts';
import { hookEvents } from './hook/events.ts';

const name = 'tandry';
const plugin = `plugins/${name}`;
const description =
  'Chat rooms for coding agents and their owners: messages reach this session, busy or idle.';
const owner = { name: 'Tandry on AWS' };

/** A program of the plugin, without a shell in between: paths may hold anything. */
const program = (file: string) => ({
  command: 'node',
  args: [`\${CLAUDE_PLUGIN_ROOT}/dist/${file}`],
});

function hooks(): object {
  return Object.fromEntries(
    Object.entries(hookEvents).map(([event, { timeoutSeconds: timeout, ...which }]) => [
      event,
      [{ ...which, hooks: [{ type: 'command', ...program('hook.cjs'), timeout }] }],
    ]),
  );
}

/** Monitors are started by a shell, which may be any: this line means the same to all of them. */
const monitor = {
  name: 'mail',
  command: `node "\${CLAUDE_PLUGIN_ROOT}/dist/monitor.cjs"`,
  description: 'Tandry: new mail for this conversation',
  when: `on-skill-invoke:${name}:join`,
};

function skills(): Record<string, string> {
  return Object.fromEntries(
    commands.map(({ name: command, description: when, argumentHint, body }) => {
      const front = {
        name: command,
        description: when,
        ...(argumentHint !== '' && { 'argument-hint': argumentHint }),
      };
      // A JSON text is a YAML text.
      const lines = Object.entries(front).map(([key, text]) => `${key}: ${JSON.stringify(text)}`);
      const text = ['---', ...lines, '---', '', body('$ARGUMENTS')].join('\n');
      return [`${plugin}/skills/${command}/SKILL.md`, text];
    }),
  );
}

export const claude: ClientPackage = {
  host: 'claude',
  bundles: {
    [`${plugin}/dist/server.cjs`]: 'clients/claude/server/server.ts',
    [`${plugin}/dist/hook.cjs`]: 'clients/claude/hook/hook.ts',
    [`${plugin}/dist/monitor.cjs`]: 'clients/claude/monitor/monitor.ts',
  },
  files: ({ version }) => ({
    '.claude-plugin/marketplace.json': {
      name: 'tandry-on-aws',
      owner,
      metadata: { description },
      plugins: [{ name, source: `./${plugin}`, description }],
    },
    [`${plugin}/.claude-plugin/plugin.json`]: {
      name,
      version,
      description,
      author: owner,
      license: 'Apache-2.0',
    },
    [`${plugin}/.mcp.json`]: { mcpServers: { [name]: program('server.cjs') } },
    [`${plugin}/hooks/hooks.json`]: { description, hooks: hooks() },
    [`${plugin}/monitors/monitors.json`]: [monitor],
    ...skills(),
  }),
  noticeFolders: [plugin],
  launch: ({ folder, state, hub }) => ({
    command: 'claude',
    args: ['--plugin-dir', join(folder, ...plugin.split('/'))],
    env: {
      TANDRY_HUB: hub,
      TANDRY_HOME: join(state, 'tandry'),
      CLAUDE_CONFIG_DIR: join(state, 'claude'),
    },
    missing: 'Claude Code is not in PATH: install it (https://code.claude.com), then try again.',
  }),
};
