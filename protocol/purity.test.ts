// The contract is pure: it reads nothing, waits for nothing and draws no lots. Clients run it in
// hosts and browsers, so it may also not reach for what only Node has.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { transformSync } from 'esbuild';
import { expect, test } from 'vitest';

const folder = import.meta.dirname;
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((path) => path.endsWith('.ts') && !/\.test\.ts$|^testing\W/.test(path))
  .map((path) => join(folder, path));

/** The code without its types and comments. */
const codeOf = (path: string) =>
  transformSync(readFileSync(path, 'utf8'), { loader: 'ts', legalComments: 'none' }).code;

const importsOf = (path: string) =>
  Array.from(
    readFileSync(path, 'utf8').matchAll(/(?:^import| from) '([^']+)';$/gm),
    (found) => found[1] ?? '',
  );

test('there is something to check', () => {
  expect(files.length).toBeGreaterThan(20);
  expect(importsOf(join(folder, 'wire.ts'))).toContain('zod');
});

test.each(files.map((path) => [relative(folder, path), path]))(
  '%s imports zod and this folder, nothing else',
  (_name, path) => {
    for (const imported of importsOf(path)) {
      if (imported === 'zod') continue;
      const target = relative(folder, resolve(dirname(path), imported));
      expect(imported.startsWith('.') && !target.startsWith('..'), imported).toBe(true);
    }
  },
);

/** A given time may be written as a date; the present one is an argument. */
const impure = new RegExp(
  [
    /\bDate\.now\b/,
    /\bDate\(\)/,
    /(?<!new )\bDate\(/,
    /\bMath\.random\b/,
    /\bcrypto\b/,
    /\bprocess\./,
    /\bBuffer\b/,
    /\bfetch\(/,
    /\bset(?:Timeout|Interval|Immediate)\b/,
    /\bperformance\b/,
    /\brequire\(/,
    /\bimport\(/,
    /\bimport\.meta\b/,
    /\bglobalThis\b/,
    /\bconsole\b/,
    /\bIntl\b/,
    /\.toLocale/,
  ]
    .map((pattern) => pattern.source)
    .join('|'),
);

test.each(files.map((path) => [relative(folder, path), path]))(
  '%s uses no clock, lots, IO or locale',
  (_name, path) => {
    expect(codeOf(path).match(impure)?.[0]).toBeUndefined();
  },
);

test.each(['Date.now()', 'new Date()', 'Date()', 'Math.random()', 'crypto.subtle', 'process.env'])(
  '%s would be found',
  (code) => {
    expect(code).toMatch(impure);
  },
);
