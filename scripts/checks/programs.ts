// Checks that are programs of their own: compiler, formatter and linters.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import type { Check } from '../check.ts';
import { root } from './sources.ts';

const maxFindingCharacters = 8_000;

/** Runs a package's program under this Node; its output is the finding if it fails. */
function program(name: string, file: string, args: readonly string[]): Check {
  return {
    name,
    run: () => {
      const path = join(root, 'node_modules', ...file.split('/'));
      const { status, stdout, stderr } = spawnSync(process.execPath, [path, ...args], {
        cwd: root,
        encoding: 'utf8',
        maxBuffer: 64 * 1024 * 1024,
      });
      return status === 0 ? [] : [`${stdout}${stderr}`.trim().slice(0, maxFindingCharacters)];
    },
  };
}

export const programs: readonly Check[] = [
  program('types (tsc)', 'typescript/bin/tsc', ['-p', '.']),
  program('format and lint (biome)', '@biomejs/biome/bin/biome', ['ci', '--colors=off', '.']),
  program('promises (oxlint, type-aware)', 'oxlint/bin/oxlint', [
    '--type-aware',
    '--deny-warnings',
    '.',
  ]),
];
