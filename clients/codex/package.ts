// The plugin as Codex installs it: a marketplace of one plugin.
import { commands } from '../commands.ts';
import type { ClientPackage, Launch, LaunchContext } from '../package.ts';
import { hooksFile, serverName } from './hooks.ts';

const marketplaceName = 'tandry-on-aws';
const pluginName = 'tandry';
const plugin = `plugins/${pluginName}`;
const serverFile = 'dist/server.cjs';
const description =
  'Rooms in which this conversation and other agents, with their owners, send each other messages.';

/** Codex starts servers with a bare environment; these are passed on where they are set. */
const passedVariables = [
  'TANDRY_HUB',
  'TANDRY_HOME',
  // Without it `codex queue` would look for the thread in another home.
  'CODEX_HOME',
  ...['HTTPS_PROXY', 'HTTP_PROXY', 'ALL_PROXY', 'NO_PROXY'].flatMap((name) => [
    name,
    name.toLowerCase(),
  ]),
];

const marketplace = {
  name: marketplaceName,
  interface: { displayName: 'Tandry' },
  plugins: [
    {
      name: pluginName,
      source: { source: 'local', path: `./${plugin}` },
      policy: { installation: 'AVAILABLE', authentication: 'ON_INSTALL' },
      category: 'Productivity',
    },
  ],
};

const manifest = (version: string) => ({
  name: pluginName,
  version,
  description,
  license: 'Apache-2.0',
  skills: './skills/',
  mcpServers: './.mcp.json',
  interface: {
    displayName: 'Tandry',
    shortDescription: description,
    category: 'Productivity',
    capabilities: [],
  },
});

const servers = {
  mcpServers: {
    [serverName]: {
      command: 'node',
      args: [`./${serverFile}`],
      cwd: '.',
      env_vars: passedVariables,
      // Where Codex asks nobody, it refuses what is destructive; coming and going must be possible.
      tools: { join: { approval_mode: 'approve' }, leave: { approval_mode: 'approve' } },
    },
  },
};

/** Codex inserts nothing into a skill: what the owner typed is in the conversation. */
const given = 'see their message';

const skills = Object.fromEntries(
  commands.map(({ name, description: when, body }) => [
    `${plugin}/skills/${name}/SKILL.md`,
    `---\nname: ${name}\ndescription: ${JSON.stringify(when)}\n---\n\n${body(given)}`,
  ]),
);

function launch({ folder, state, hub }: LaunchContext): Launch {
  return {
    command: 'codex',
    args: [],
    env: { CODEX_HOME: state, TANDRY_HOME: `${state}/tandry`, TANDRY_HUB: hub },
    before: [
      ['plugin', 'marketplace', 'add', folder],
      ['plugin', 'add', `${pluginName}@${marketplaceName}`],
    ],
    missing: 'Install Codex first: npm install -g @openai/codex',
  };
}

export const codex: ClientPackage = {
  host: 'codex',
  bundles: { [`${plugin}/${serverFile}`]: 'clients/codex/server.ts' },
  files: ({ version }) => ({
    '.agents/plugins/marketplace.json': marketplace,
    [`${plugin}/.codex-plugin/plugin.json`]: manifest(version),
    [`${plugin}/.mcp.json`]: servers,
    [`${plugin}/hooks/hooks.json`]: hooksFile(),
    ...skills,
  }),
  noticeFolders: [plugin],
  launch,
};
