import { join } from 'node:path';
import { build } from 'esbuild';
import { describe, expect, test } from 'vitest';
import { NoHubError } from '../store.ts';
import { resolveHub } from './hub-url.ts';

const [variable, credentials, baked] = ['variable', 'credentials', 'baked'].map(
  (name) => `https://${name}.example`,
);
const none = { variable: undefined, credentials: undefined, baked: undefined };

describe('the Hub is', () => {
  test.each([
    ['the variable first', { variable, credentials, baked }, variable],
    ['then that of the credentials', { ...none, credentials, baked }, credentials],
    ['then the built-in one', { ...none, baked }, baked],
    ['an empty variable counts as none', { ...none, variable: '', baked }, baked],
    [
      'without a slash at its end',
      { ...none, variable: 'http://x.example:8/hub//' },
      'http://x.example:8/hub',
    ],
    [
      'without credentials or query',
      { ...none, variable: 'https://u:p@x.example/?a#b' },
      'https://x.example',
    ],
  ])('%s', (_name, sources, hub) => {
    expect(resolveHub(sources)).toBe(hub);
  });

  test.each([
    ['nothing', none],
    ['no URL', { ...none, variable: 'hub.example' }],
    ['not HTTP', { ...none, variable: 'file:///etc/passwd' }],
  ])('%s: one line names the variable', (_name, sources) => {
    expect(() => resolveHub(sources)).toThrow(NoHubError);
    expect(() => resolveHub(sources)).toThrow(/^[^\n]*TANDRY_HUB[^\n]*$/);
  });
});

test('a build bakes its URL in', async () => {
  const { outputFiles } = await build({
    stdin: {
      contents: `export { resolveHub } from './hub-url.ts';`,
      resolveDir: import.meta.dirname,
    },
    define: { TANDRY_BUILD_HUB: JSON.stringify(baked) },
    ...{ bundle: true, write: false, platform: 'node', format: 'esm' },
    outfile: join(import.meta.dirname, 'unwritten.mjs'),
  });
  const code = outputFiles[0]?.text ?? '';
  const bundle = await import(`data:text/javascript,${encodeURIComponent(code)}`);
  expect(bundle.resolveHub(none)).toBe(baked);
});
