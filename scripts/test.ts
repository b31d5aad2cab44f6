// `npm test`: every test of the project. Arguments go to vitest; the last line is the tally.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import * as z from 'zod';
import { tallyLine } from './tally.ts';

const Report = z.object({
  numPassedTests: z.number(),
  numFailedTests: z.number(),
  success: z.boolean(),
});

const folder = mkdtempSync(join(tmpdir(), 'tandry-tests-'));
const report = join(folder, 'report.json');
const vitest = join(import.meta.dirname, '..', 'node_modules', 'vitest', 'vitest.mjs');
spawnSync(
  process.execPath,
  [
    vitest,
    'run',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${report}`,
    ...process.argv.slice(2),
  ],
  { stdio: 'inherit' },
);

function read(): z.infer<typeof Report> {
  try {
    return Report.parse(JSON.parse(readFileSync(report, 'utf8')));
  } catch {
    return { numPassedTests: 0, numFailedTests: 1, success: false };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

const { numPassedTests, numFailedTests, success } = read();
// A file that fails to load has no failed test, yet the run did not succeed.
const failed = success ? numFailedTests : Math.max(1, numFailedTests);
console.log(`\n${tallyLine({ passed: numPassedTests, failed })}`);
process.exitCode = failed === 0 && numPassedTests > 0 ? 0 : 1;
