// The plugin as Claude Code documents it: files, names, programs.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { commands } from '../commands.ts';
import { builtPackage } from '../testing/built.ts';
import { claude } from './package.ts';
import { readPlugin } from './testing/plugin-files.ts';

const market = await builtPackage(claude);
const plugin = await readPlugin(market);
const programs = ['server.cjs', 'hook.cjs', 'monitor.cjs'];
const textOf = (program: string) => readFileSync(join(plugin.folder, 'dist', program), 'utf8');

test('marketplace and plugin have the names by which people install them', () => {
  expect(plugin.marketplace.name).toBe('tandry-on-aws');
  expect(plugin.marketplace.plugins.map(({ name }) => name)).toEqual(['tandry']);
  expect(plugin.manifest.name).toBe('tandry');
});

test('every command is a skill that says when to use it', () => {
  expect(plugin.skills.map(({ folder }) => folder).sort()).toEqual(
    commands.map(({ name }) => name).sort(),
  );
  for (const { folder, front, body } of plugin.skills) {
    const command = commands.find(({ name }) => name === folder);
    expect(front['name']).toBe(folder);
    expect(front['description']).toBe(command?.description);
    expect(front['description']?.length).toBeLessThan(1_024);
    expect(front['argument-hint'] ?? '').toBe(command?.argumentHint);
    // The arguments stand exactly where the command takes some.
    expect(body.split('$ARGUMENTS').length - 1).toBe(command?.argumentHint === '' ? 0 : 1);
  }
});

test('the monitor waits for the join skill, by its complete name', () => {
  expect(plugin.monitors.map(({ when }) => when)).toEqual(['on-skill-invoke:tandry:join']);
  expect(plugin.skills.map(({ folder }) => folder)).toContain('join');
});

test('hooks run at every boundary, and before our own tools alone', () => {
  expect(Object.keys(plugin.hooks).sort()).toEqual([
    'Notification',
    'PostToolUse',
    'PostToolUseFailure',
    'PreToolUse',
    'SessionEnd',
    'SessionStart',
    'Stop',
    'StopFailure',
    'UserPromptSubmit',
  ]);
  const [before] = plugin.hooks.PreToolUse ?? [];
  const matcher = new RegExp(`^(?:${before?.matcher})$`);
  expect(matcher.test('mcp__plugin_tandry_tandry__inbox')).toBe(true);
  expect(matcher.test('mcp__plugin_other_tandry__inbox')).toBe(false);
  expect(matcher.test('Bash')).toBe(false);
  expect(plugin.hooks.PostToolUse?.[0]?.matcher).toBeUndefined();
});

describe('programs', () => {
  test('are started without a shell, from wherever the plugin lies', () => {
    const started = [
      ...Object.values(plugin.servers),
      ...Object.values(plugin.hooks).flatMap((groups) => groups.flatMap(({ hooks }) => hooks)),
    ];
    expect(started).toHaveLength(10);
    for (const { command, args } of started) {
      expect(command).toBe('node');
      const [file = ''] = args;
      expect(args).toHaveLength(1);
      expect(file).toMatch(/^\$\{CLAUDE_PLUGIN_ROOT\}\/dist\//);
      expect(existsSync(file.replace(`\${CLAUDE_PLUGIN_ROOT}`, plugin.folder)), file).toBe(true);
    }
  });

  test('the line for a shell keeps a path with spaces together', () => {
    expect(plugin.monitors.map(({ command }) => command)).toEqual([
      `node "\${CLAUDE_PLUGIN_ROOT}/dist/monitor.cjs"`,
    ]);
  });

  test('a hook is under 10 KB', () => {
    expect(statSync(join(plugin.folder, 'dist', 'hook.cjs')).size).toBeLessThan(10_000);
  });

  test.each(programs)('%s needs no package beside it', (program) => {
    const required = Array.from(textOf(program).matchAll(/\brequire\("([^"]+)"\)/g), ([, name]) =>
      name?.replace(/^node:/, ''),
    );
    // `ws` asks for these two and does without them; the other texts are in code that ajv writes.
    const allowed = [...builtinModules, 'bufferutil', 'utf-8-validate'];
    const isAllowed = (name = '') => allowed.includes(name) || /^ajv(-formats)?\/dist\//.test(name);
    expect(required.filter((name) => !isAllowed(name))).toEqual([]);
  });

  test.each(programs)('%s knows no path of the machine it was made on', (program) => {
    expect(textOf(program)).not.toContain(process.cwd());
  });
});

test('licences of all that is inside lie beside it', () => {
  const notices = readFileSync(join(plugin.folder, 'THIRD-PARTY-NOTICES.txt'), 'utf8');
  for (const name of ['zod', 'ws', '@modelcontextprotocol/server', 'https-proxy-agent', 'ajv']) {
    expect(notices).toMatch(new RegExp(`^${name} \\d+\\.\\d+\\.\\d+ \\(.+\\)$`, 'm'));
  }
  expect(notices.match(/Permission is hereby granted|Apache License/g)?.length).toBeGreaterThan(5);
  expect(readFileSync(join(plugin.folder, 'LICENSE'), 'utf8')).toMatch('Apache License');
});

test('nothing else is in the package', () => {
  const files = readdirSync(market, { recursive: true, encoding: 'utf8' }).filter((path) =>
    statSync(join(market, path)).isFile(),
  );
  expect(files).toHaveLength(3 + 6 + commands.length + 1);
});
