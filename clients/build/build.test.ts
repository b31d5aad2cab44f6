// `npm run build:clients` and `npm run agent`, as people call them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { startFakeHub } from '../../bridge/testing/rig.ts';
import { buildClients } from './build.ts';
import { clients } from './clients.ts';
import { notices } from './notices.ts';
import { root } from './root.ts';

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'tandry build '));
  onTestFinished(() => rm(made, { recursive: true, force: true }));
  return made;
}

/** Runs one of the two programs; `path` is where it finds other programs. */
async function run(program: string, args: readonly string[], path = process.env['PATH'] ?? '') {
  const child = spawn(
    process.execPath,
    ['--experimental-strip-types', join(root, 'clients', 'build', program), ...args],
    { cwd: root, env: { ...process.env, PATH: path } },
  );
  const [output, errors, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ]);
  return { output, errors: errors.replace(/^\(node:.*\n|^\(Use `node.*\n/gm, ''), code };
}

describe('packages', () => {
  test('talk to the Hub they were built for, or to none', async () => {
    const out = await folder();
    const output = await run('main.ts', ['--out', out, '--hub', 'https://hub.example/', 'claude']);
    expect([output.errors, output.code]).toEqual(['', 0]);
    expect(output.output).toMatch(/KiB {2}plugins\/tandry\/dist\/hook\.cjs/);
    const server = join(out, 'claude', 'plugins', 'tandry', 'dist', 'server.cjs');
    expect(await readFile(server, 'utf8')).toMatch('"https://hub.example"');
    const [plain] = await buildClients({ clients: clients.slice(0, 1), out: join(out, 'plain') });
    const plainServer = join(plain?.folder ?? '', 'plugins', 'tandry', 'dist', 'server.cjs');
    expect(await readFile(plainServer, 'utf8')).not.toMatch('hub.example');
  });

  test('of an earlier build leave nothing behind', async () => {
    const out = await folder();
    const [built] = await buildClients({ clients: clients.slice(0, 1), out });
    const stale = join(built?.folder ?? '', 'stale');
    await writeFile(stale, '');
    await buildClients({ clients: clients.slice(0, 1), out });
    expect(existsSync(stale)).toBe(false);
  });

  test('are made for every host in the table, each in a folder of its own', async () => {
    const out = await folder();
    const built = await buildClients({ clients, out });
    expect(built.map(({ host }) => host)).toEqual(clients.map(({ host }) => host));
    for (const { folder: made, sizes } of built) {
      expect(dirname(made)).toBe(out);
      expect(Object.keys(sizes).length).toBeGreaterThan(0);
      for (const [path, bytes] of Object.entries(sizes)) {
        expect((await readFile(join(made, path))).length).toBe(bytes);
      }
    }
  });

  test.each([['nobody'], ['--hub', 'not a URL'], ['--hub', 'ftp://x']])(
    'for %s %s are refused with one line',
    async (...args) => {
      const { errors, code } = await run('main.ts', args.filter(Boolean));
      expect(errors).toMatch(/^Usage: npm run build:clients -- .*\n$/);
      expect(code).toBe(2);
    },
  );
});

describe('notices', () => {
  test('hold each package once, with its licence', async () => {
    const files = ['node_modules/zod/v4/index.js', 'node_modules/zod/index.js', 'bridge/clock.ts'];
    const made = await notices(files);
    expect(made.match(/^zod /gm)).toHaveLength(1);
    expect(made).toMatch('MIT License');
  });

  test('name what a package has inside it', async () => {
    const folder = join('node_modules', '@modelcontextprotocol', 'server', 'dist');
    const [bundle = ''] = (await readdir(join(root, folder))).filter((name) =>
      /^ajvProvider-.*\.mjs$/.test(name),
    );
    const made = await notices([`${folder}/${bundle}`]);
    expect(made).toMatch(/^ajv \d/m);
    expect(made).toMatch(/^fast-uri \d/m);
  });

  test('of a package without a text are those of its repository', async () => {
    const one = 'node_modules/proxy-agent-negotiate/dist/index.js';
    await expect(notices([one])).rejects.toThrow('proxy-agent-negotiate has no licence text');
    const both = await notices([one, 'node_modules/https-proxy-agent/dist/index.js']);
    expect(both.match(/Permission is hereby granted/g)).toHaveLength(2);
  });
});

describe('npm run agent', () => {
  async function startHealthyHub(): Promise<string> {
    const server = createServer((_request, response) => response.end('{"ok":true,"now":0}'));
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    onTestFinished(() => void server.close());
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' && address?.port}`;
  }

  /** Programs that may be found: none but those given. */
  async function pathWith(programs: Readonly<Record<string, string>>): Promise<string> {
    const bin = await folder();
    await symlink(process.execPath, join(bin, 'node'));
    for (const [name, script] of Object.entries(programs)) {
      await writeFile(join(bin, name), `#!/bin/sh\n${script}\n`);
      await chmod(join(bin, name), 0o755);
    }
    return [bin, '/usr/bin', '/bin'].join(delimiter);
  }

  test('starts the host with the plugin, the Hub, and folders of its own', async () => {
    const url = await startHealthyHub();
    const state = await folder();
    const path = await pathWith({
      claude: 'printf "%s\\n" "$@" "$TANDRY_HUB" "$TANDRY_HOME" "$CLAUDE_CONFIG_DIR"; exit 7',
    });
    const args = ['--hub', url, '--state', state, 'claude', '--', '-c'];
    const { output, code } = await run('agent.ts', args, path);
    const [option, plugin = '', ...further] = output.trim().split('\n');
    expect(option).toBe('--plugin-dir');
    expect(existsSync(join(plugin, '.claude-plugin', 'plugin.json'))).toBe(true);
    const own = join(state, 'claude');
    expect(further).toEqual(['-c', url, join(own, 'tandry'), join(own, 'claude')]);
    expect(code).toBe(7);
  });

  test('says the one thing to do if the host is missing', async () => {
    const args = ['--hub', await startHealthyHub(), '--state', await folder(), 'claude'];
    const { errors, code } = await run('agent.ts', args, await pathWith({}));
    expect(errors).toMatch(/^Claude Code is not in PATH: install it .*\n$/);
    expect(code).toBe(1);
  });

  test('says the one thing to do if no Hub answers', async () => {
    const hub = await startFakeHub();
    await hub.stop();
    const { errors, code } = await run('agent.ts', ['--hub', hub.url, 'claude']);
    expect(errors).toBe(`No Hub answers at ${hub.url}. Start one with: npm start\n`);
    expect(code).toBe(1);
  });

  test.each([[[]], [['nobody']], [['--hub', 'x', 'claude']]])(
    'is explained for %j',
    async (args) => {
      const { errors, code } = await run('agent.ts', args);
      expect(errors).toMatch(/^Usage: npm run agent -- <.*claude/);
      expect(code).toBe(2);
    },
  );
});
