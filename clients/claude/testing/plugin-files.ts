// For tests: the plugin's files as Claude Code documents them. What it would not load fails here.
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import * as z from 'zod';
import { readJson } from '../../testing/built.ts';

const kebab = z.string().regex(/^[a-z0-9]+(-[a-z0-9]+)*$/);
const person = z.strictObject({ name: z.string().min(1), email: z.email().optional() });
const relativePath = z.string().regex(/^\.\/(?!.*\.\.)/);

export const Marketplace = z.strictObject({
  name: kebab.refine((name) => !/^(claude|anthropic|agent-skills)/.test(name), 'reserved'),
  owner: person,
  metadata: z.strictObject({ description: z.string(), version: z.string().optional() }).optional(),
  plugins: z
    .array(z.strictObject({ name: kebab, source: relativePath, description: z.string() }))
    .min(1),
});

export const Manifest = z.strictObject({
  name: kebab,
  version: z.string().regex(/^\d+\.\d+\.\d+$/),
  description: z.string().min(1),
  author: person,
  license: z.string(),
});

const Program = z.strictObject({ command: z.string().min(1), args: z.array(z.string()) });

export const McpServers = z.strictObject({ mcpServers: z.record(kebab, Program) });

const events = [
  'SessionStart',
  'UserPromptSubmit',
  'PreToolUse',
  'PostToolUse',
  'PostToolUseFailure',
  'PostToolBatch',
  'Stop',
  'StopFailure',
  'SubagentStart',
  'SubagentStop',
  'SessionEnd',
  'Notification',
  'Elicitation',
] as const;

const CommandHook = z.strictObject({
  type: z.literal('command'),
  command: z.string().regex(/^\S+$/, 'exec form: a program, no line for a shell'),
  args: z.array(z.string()),
  timeout: z.int().positive().max(600),
});

export const Hooks = z.strictObject({
  description: z.string().optional(),
  hooks: z.partialRecord(
    z.enum(events),
    z.array(z.strictObject({ matcher: z.string().optional(), hooks: z.array(CommandHook).min(1) })),
  ),
});
export type Hooks = z.infer<typeof Hooks>;

export const Monitors = z.array(
  z.strictObject({
    name: kebab,
    command: z.string().min(1),
    description: z.string().min(1),
    when: z.string().regex(/^(always|on-skill-invoke:[a-z-]+:[a-z-]+)$/),
  }),
);

export interface Skill {
  folder: string;
  front: Readonly<Record<string, string>>;
  body: string;
}

/** The front matter is written as JSON texts, one a line. */
function parseSkill(folder: string, text: string): Skill {
  const [, front = '', body = ''] = /^---\n(.*?)\n---\n\n(.+)$/s.exec(text) ?? [];
  const fields = front.split('\n').map((line) => {
    const [, key = '', value = ''] = /^([a-z-]+): (".*")$/.exec(line) ?? [];
    return [key, z.string().parse(JSON.parse(value))];
  });
  return { folder, front: Object.fromEntries(fields), body };
}

/** Reads and checks all parts of the one plugin of a marketplace. */
export async function readPlugin(market: string) {
  const marketplace = Marketplace.parse(
    await readJson(join(market, '.claude-plugin', 'marketplace.json')),
  );
  const folder = join(market, marketplace.plugins[0]?.source ?? '');
  const skills = await Promise.all(
    (await readdir(join(folder, 'skills'))).map(async (name) =>
      parseSkill(name, await readFile(join(folder, 'skills', name, 'SKILL.md'), 'utf8')),
    ),
  );
  return {
    marketplace,
    folder,
    manifest: Manifest.parse(await readJson(join(folder, '.claude-plugin', 'plugin.json'))),
    servers: McpServers.parse(await readJson(join(folder, '.mcp.json'))).mcpServers,
    hooks: Hooks.parse(await readJson(join(folder, 'hooks', 'hooks.json'))).hooks,
    monitors: Monitors.parse(await readJson(join(folder, 'monitors', 'monitors.json'))),
    skills,
  };
}

export type Plugin = Awaited<ReturnType<typeof readPlugin>>;
