// Runs the checks, the tests and those of real hosts as a developer does, and sums their tallies.
import { spawn } from 'node:child_process';
import { readTally, sum, type Tally, tallyLine } from './tally.ts';

const steps = ['check', 'test', 'hosts'] as const;

async function run(step: string): Promise<Tally> {
  console.log(`\n── npm run ${step}`);
  const child = spawn('npm', ['run', '--silent', step], { stdio: ['ignore', 'pipe', 'inherit'] });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    process.stdout.write(chunk);
    output = (output + chunk.toString()).slice(-4096);
  });
  const code = await new Promise<number>((resolve) => {
    child.on('close', (status) => resolve(status ?? 1));
  });
  const tally = readTally(output);
  // A step that died without its line, or failed without a failure, counts as one.
  if (tally === undefined) return { passed: 0, failed: 1 };
  return code !== 0 && tally.failed === 0 ? { ...tally, failed: 1 } : tally;
}

const tallies: Tally[] = [];
for (const step of steps) tallies.push(await run(step));
const total = sum(tallies);
console.log(`\n${tallyLine(total)}`);
process.exitCode = total.failed === 0 && total.passed > 0 ? 0 : 1;
