// The root of the bridge runs anywhere; what only Node has is below `node/`. Folders point one way.
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { build } from 'esbuild';
import { expect, test } from 'vitest';

const folder = import.meta.dirname;
const root = dirname(folder);
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(
  (path) => path.endsWith('.ts') && !/\.test\.ts$|^testing\W/.test(path),
);
const importsOf = (path: string) =>
  Array.from(
    readFileSync(join(folder, path), 'utf8').matchAll(/(?:^import| from) '([^']+)';$/gm),
    (found) => found[1] ?? '',
  );

async function bundled(contents: string) {
  const { metafile } = await build({
    stdin: { contents, resolveDir: folder },
    platform: 'browser',
    format: 'esm',
    bundle: true,
    write: false,
    metafile: true,
    logLevel: 'silent',
  });
  return Object.keys(metafile.inputs);
}

test('the root bundles for browsers, with zod and the protocol alone', async () => {
  const inputs = await bundled("export * from './index.ts';");
  expect(inputs).toContain('bridge/bridge.ts');
  expect(inputs.filter((input) => /^bridge\/(node|testing)\//.test(input))).toEqual([]);
  const packages = inputs.flatMap((input) => /node_modules\/([^/]+)\//.exec(input)?.[1] ?? []);
  expect(new Set(packages)).toEqual(new Set(['zod']));
});

test('a bundle of the Node part for browsers would fail', async () => {
  await expect(bundled("export * from './node/index.ts';")).rejects.toThrow(/node:/);
});

test('there is something to check', () => {
  expect(files.length).toBeGreaterThan(30);
  expect(importsOf('node/socket.ts')).toContain('ws');
});

const nodePackages = new Set(['ws', 'https-proxy-agent', 'proxy-from-env']);

test.each(files)('%s imports what its place allows', (path) => {
  const isNode = path.startsWith('node/');
  for (const imported of importsOf(path)) {
    if (imported === 'zod') continue;
    if (imported.startsWith('.')) {
      const target = relative(root, resolve(folder, dirname(path), imported));
      expect(target, imported).toMatch(/^(bridge|protocol)\//);
      expect(target, imported).not.toMatch(/\/testing\/|\.test\.ts$/);
      if (!isNode) expect(target, imported).not.toMatch(/^bridge\/node\//);
    } else {
      expect(isNode && (imported.startsWith('node:') || nodePackages.has(imported)), imported).toBe(
        true,
      );
    }
  }
});

test.each(files)('%s reads the environment only where the bridge is put together', (path) => {
  const source = readFileSync(join(folder, path), 'utf8');
  if (path !== 'node/create-node-bridge.ts') expect(source).not.toMatch(/process\.env\b/);
});
