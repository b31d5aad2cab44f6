// Runs vitest and counts what passed and failed.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import type { Tally } from './tally.ts';

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  success: z.boolean(),
});

const program = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');

/** `args` are vitest's own. */
export function runVitest(args: readonly string[]): Tally {
  const folder = mkdtempSync(join(tmpdir(), 'tandry-tests-'));
  const report = join(folder, 'report.json');
  const reporters = ['--reporter=default', '--reporter=json', `--outputFile.json=${report}`];
  spawnSync(process.execPath, [program, 'run', ...reporters, ...args], { stdio: 'inherit' });
  try {
    return tallyOf(readFileSync(report, 'utf8'));
  } catch {
    return { passed: 0, failed: 1 };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function tallyOf(report: string): Tally {
  const { numPassedTests: passed, numFailedTests, success } = Report.parse(JSON.parse(report));
  // A file that fails to load has no failed test, yet the run did not succeed.
  return { passed, failed: success ? numFailedTests : Math.max(1, numFailedTests) };
}
