// The command line of the MCP Inspector, with a home and a browser of its own.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { findFreePort } from '../../local/free-port.ts';

const program = join(
  import.meta.dirname,
  '../node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js',
);

export interface InspectorRun {
  readonly code: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Inspector {
  readonly folder: string;
  /** Runs it once; `signsIn` lets it open the browser. */
  run(args: readonly string[], options?: { readonly signsIn?: boolean }): Promise<InspectorRun>;
}

/** @param login where people of the Hub sign in */
export function createInspector(hub: string, login: string): Inspector {
  const folder = mkdtempSync(join(tmpdir(), 'tandry-inspector-'));
  const [home, bin] = [join(folder, 'home'), join(folder, 'bin')];
  for (const path of [home, bin]) mkdirSync(path);
  const opener = [process.execPath, join(import.meta.dirname, 'opener.ts'), hub, login];
  const command = opener.map((word) => `'${word}'`).join(' ');
  const script = `#!/bin/sh\nexec ${command} "$1" >>'${join(folder, 'opener.log')}' 2>&1\n`;
  writeFileSync(join(bin, 'xdg-open'), script, { mode: 0o755 });
  return {
    folder,
    async run(args, { signsIn = false } = {}) {
      const way = signsIn
        ? ['--callback-url', `http://127.0.0.1:${await findFreePort()}/oauth/callback`]
        : ['--stored-auth-only'];
      const child = spawn(
        process.execPath,
        [program, '--cli', `${hub}/mcp`, ...args, '--format', 'json', ...way],
        {
          cwd: folder,
          stdio: ['ignore', 'pipe', 'pipe'],
          env: {
            HOME: home,
            PATH: `${bin}${delimiter}${process.env['PATH']}`,
            BROWSER: join(bin, 'xdg-open'),
            // Its usual store is a keychain, which a test has none of.
            MCP_INSPECTOR_SECRET_STORE: 'file',
            MCP_AUTO_OPEN_ENABLED: String(signsIn),
          },
        },
      );
      const [stdout, stderr, [code]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ]);
      return { code, stdout, stderr };
    },
  };
}
