// The project's own text files, as git knows them: tracked or about to be.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

export const root = join(import.meta.dirname, '..', '..');

export interface Source {
  readonly path: string;
  readonly text: string;
  readonly lines: readonly string[];
  readonly isTest: boolean;
}

/** Code files, TypeScript and JavaScript. */
export function readSources(): readonly Source[] {
  const { stdout } = spawnSync('git', ['ls-files', '-co', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return stdout
    .split('\n')
    .filter((path) => /\.(ts|tsx|mjs|js)$/.test(path) && existsSync(join(root, path)))
    .map((path) => {
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, lines: text.trimEnd().split('\n'), isTest: isTest(path) };
    });
}

/** Tests, what only tests use, and the black-box suite. */
function isTest(path: string): boolean {
  return /\.test\.ts$|\/testing\/|\/model\/|\/fixtures\/|^conformance\//.test(path);
}
