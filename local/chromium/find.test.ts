// Which browser is taken, and what a person is told where there is none.
import { expect, test } from 'vitest';
import { findChromium } from './find.ts';

const here = import.meta.filename;
const nowhere = '/nowhere/chromium';

test('a browser that was named is taken before Debian’s', () => {
  expect(findChromium({ given: here, packaged: nowhere })).toBe(here);
  expect(findChromium({ given: undefined, packaged: here })).toBe(here);
  expect(findChromium({ given: '', packaged: here })).toBe(here);
});

test('a name that leads nowhere is told, whatever else is there', () => {
  const find = () => findChromium({ given: nowhere, packaged: here });
  expect(find).toThrow('CHROMIUM_PATH is /nowhere/chromium, where no browser is.');
});

test('root installs Debian’s package, after fresh lists if it has to', () => {
  const commands: string[] = [];
  const runAsRoot = (command: string) => commands.push(command) === 2;
  const options = { given: undefined, packaged: nowhere, runAsRoot };
  expect(findChromium(options)).toBe(nowhere);
  expect(commands).toEqual([
    'apt-get install -y --no-install-recommends chromium',
    'apt-get update -qq && apt-get install -y --no-install-recommends chromium',
  ]);
});

test.each([
  ['nobody in particular', undefined],
  ['root without success', () => false],
])('%s is told the command', (_who, runAsRoot) => {
  const find = () => findChromium({ given: undefined, packaged: nowhere, runAsRoot });
  expect(find).toThrow(/^A browser is needed: apt-get install \S.* chromium, or name one/);
});
