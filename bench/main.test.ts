// The program itself: what it prints, and what it does not know.
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, it } from 'vitest';

function run(...args: string[]) {
  const options = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning'];
  const program = join(import.meta.dirname, 'main.ts');
  return spawnSync(process.execPath, [...options, program, ...args], { encoding: 'utf8' });
}

it('prints the section it is asked for, every budget kept', () => {
  const { status, stdout, stderr } = run('--quick', '--only', 'cost');
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  expect(stdout).toContain('Dollars for a million such messages');
  expect(stdout).toMatch(/^ {2}send +8 \/ \d+, \d+ ms/m);
  expect(stdout).toMatch(/^ {2}total( +[\d.]+){2}$/m);
  expect(stdout).not.toContain('load time');
}, 120_000);

it('names its sections when asked for another one', () => {
  const { status, stdout, stderr } = run('--only', 'speed');
  expect({ status, stdout }).toEqual({ status: 2, stdout: '' });
  expect(stderr).toBe('No section speed; there are units, latency, links, bundles, cost.\n');
});
