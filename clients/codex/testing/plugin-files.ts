// For tests: the plugin's files, read as strictly as Codex documents them.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readJson } from '../../testing/built.ts';

const Marketplace = z.strictObject({
  name: z.string(),
  interface: z.strictObject({ displayName: z.string() }),
  plugins: z.array(
    z.strictObject({
      name: z.string(),
      source: z.strictObject({ source: z.literal('local'), path: z.string() }),
      policy: z.strictObject({ installation: z.string(), authentication: z.string() }),
      category: z.string(),
    }),
  ),
});

const Manifest = z.strictObject({
  name: z.string(),
  version: z.string(),
  description: z.string(),
  license: z.string(),
  skills: z.string(),
  mcpServers: z.string(),
  interface: z.looseObject({ displayName: z.string() }),
});

const Servers = z.strictObject({
  mcpServers: z.record(
    z.string(),
    z.strictObject({
      command: z.string(),
      args: z.array(z.string()),
      cwd: z.literal('.'),
      env_vars: z.array(z.string()),
      tools: z.record(z.string(), z.strictObject({ approval_mode: z.literal('approve') })),
    }),
  ),
});

const Hooks = z.strictObject({
  hooks: z.record(
    z.string(),
    z.array(
      z.strictObject({
        hooks: z.array(
          z.strictObject({
            type: z.literal('mcp_tool'),
            server: z.string(),
            tool: z.string(),
            input: z.record(z.string(), z.string()),
            timeout: z.number().max(10),
          }),
        ),
      }),
    ),
  ),
});

export type CodexPlugin = Awaited<ReturnType<typeof readPlugin>>;

/** `market` is the built package. */
export async function readPlugin(market: string) {
  const marketplace = Marketplace.parse(
    await readJson(join(market, '.agents', 'plugins', 'marketplace.json')),
  );
  const folder = join(market, marketplace.plugins[0]?.source.path ?? '');
  const read = (...path: string[]) => readJson(join(folder, ...path));
  const { mcpServers } = Servers.parse(await read('.mcp.json'));
  const [server] = Object.entries(mcpServers).map(([name, more]) => ({ name, ...more }));
  if (server === undefined) throw new Error('the plugin has no server');
  return {
    ...{ marketplace, folder, server },
    manifest: Manifest.parse(await read('.codex-plugin', 'plugin.json')),
    hooks: Hooks.parse(await read('hooks', 'hooks.json')).hooks,
    readSkill: (name: string) => readFile(join(folder, 'skills', name, 'SKILL.md'), 'utf8'),
  };
}
