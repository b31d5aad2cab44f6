// The plugin's files, as Codex reads them.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { commands } from '../commands.ts';
import { builtPackage } from '../testing/built.ts';
import { hookToolName, isHookEventName } from './hooks.ts';
import { codex } from './package.ts';
import { readPlugin } from './testing/plugin-files.ts';

const plugin = await readPlugin(await builtPackage(codex));

test('marketplace and plugin have the names by which people install them', () => {
  expect(plugin.marketplace.name).toBe('tandry-on-aws');
  expect(plugin.marketplace.plugins.map(({ name }) => name)).toEqual(['tandry']);
  expect(plugin.manifest.name).toBe('tandry');
});

test('hooks call our server, with fields that every event has', () => {
  for (const [event, groups] of Object.entries(plugin.hooks)) {
    expect(isHookEventName(event)).toBe(true);
    for (const { server, tool, input } of groups.flatMap(({ hooks }) => hooks)) {
      expect([server, tool]).toEqual([plugin.server.name, hookToolName]);
      expect(input).toEqual({ event, session: `\${session_id}`, cwd: `\${cwd}` });
    }
  }
  // Its handlers can be commands only, and the end of a thread ends the server anyhow.
  expect(Object.keys(plugin.hooks)).not.toContain('SessionEnd');
});

test('the server gets what it needs of the environment, and no more', () => {
  expect(plugin.server.env_vars).toEqual([
    ...['TANDRY_HUB', 'TANDRY_HOME', 'CODEX_HOME'],
    ...['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'],
    ...['ALL_PROXY', 'all_proxy', 'NO_PROXY', 'no_proxy'],
  ]);
});

test('every command is a skill that says when to use it', async () => {
  for (const { name, description } of commands) {
    const skill = await plugin.readSkill(name);
    expect(skill).toMatch(new RegExp(`^---\nname: ${name}\ndescription: ".*"\n---\n\n`));
    expect(skill).toContain(JSON.stringify(description));
  }
});

test('the licences of what is inside lie beside the program', () => {
  const read = (name: string) => readFileSync(join(plugin.folder, name), 'utf8');
  expect(read('LICENSE')).toContain('Apache License');
  for (const name of ['@modelcontextprotocol/server', 'ws', 'zod']) {
    expect(read('THIRD-PARTY-NOTICES.txt')).toContain(`\n${name} `);
  }
});
