import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from './fixtures/resources.ts';
import { createThrowAwayFolder, lockStateFolder } from './state-folder.ts';

const locker = `
  import { lockStateFolder } from ${JSON.stringify(join(import.meta.dirname, 'state-folder.ts'))};
  lockStateFolder(process.argv[1]);
  console.log('locked');
  setInterval(() => {}, 1_000);`;

test('a folder is locked until it is released', () => {
  const path = join(temporaryFolder(), 'state');
  const first = lockStateFolder(path);
  expect(() => lockStateFolder(path)).toThrow(`already running (process ${process.pid})`);
  first.release();
  lockStateFolder(path).release();
});

test('the lock of a process that was killed is free again', async () => {
  const path = temporaryFolder();
  const flags = ['--experimental-strip-types', '--input-type=module'];
  const child = spawn(process.execPath, [...flags, '--eval', locker, path], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  await once(child.stdout, 'data');
  expect(() => lockStateFolder(path)).toThrow(`already running (process ${child.pid})`);
  child.kill('SIGKILL');
  await once(child, 'exit');
  lockStateFolder(path).release();
});

test('a throw-away folder goes, and so does one that a killed process left', () => {
  const first = createThrowAwayFolder();
  writeFileSync(join(first.path, 'file'), 'x');
  const parent = dirname(first.path);
  // No process has this number: it is over the largest there can be.
  const left = join(parent, 'tandry-memory-99999999-abc');
  const another = join(parent, `tandry-memory-${process.ppid}-abc`);
  for (const folder of [left, another]) mkdirSync(folder, { recursive: true });
  onTestFinished(() => rmSync(another, { recursive: true }));
  createThrowAwayFolder().release();
  expect(existsSync(left)).toBe(false);
  expect(existsSync(another)).toBe(true);
  expect(existsSync(first.path)).toBe(true);
  first.release();
  expect(existsSync(first.path)).toBe(false);
});
