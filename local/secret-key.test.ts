import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from './fixtures/resources.ts';
import { openSecretKey } from './secret-key.ts';

test('a key is the same as long as its folder is kept, and another one elsewhere', () => {
  const folder = temporaryFolder();
  const key = openSecretKey(folder);
  expect(key).toHaveLength(32);
  expect(openSecretKey(folder)).toEqual(key);
  expect(openSecretKey(temporaryFolder())).not.toEqual(key);
});

test('a key is for its owner’s eyes', () => {
  const folder = temporaryFolder();
  openSecretKey(folder);
  expect(statSync(join(folder, 'secret-key')).mode & 0o777).toBe(0o600);
});

test('a damaged key is refused and left as it is', () => {
  const folder = temporaryFolder();
  const file = join(folder, 'secret-key');
  writeFileSync(file, 'short');
  expect(() => openSecretKey(folder)).toThrow('is damaged');
  expect(readFileSync(file, 'utf8')).toBe('short');
});
