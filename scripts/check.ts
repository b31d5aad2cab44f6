// `npm run check`: everything that is told without running the product. Each check is one of the
// tally.
import { boundaries } from './checks/boundaries.ts';
import { licences } from './checks/licences.ts';
import { programs } from './checks/programs.ts';
import { rules } from './checks/rules.ts';
import { sizes } from './checks/sizes.ts';
import { readSources } from './checks/sources.ts';
import { tallyLine } from './tally.ts';

/** A named check; `run` gives its findings, none if it passes. */
export interface Check {
  readonly name: string;
  readonly run: () => Promise<readonly string[]> | readonly string[];
}

const sources = readSources();
const checks: readonly Check[] = [
  ...programs,
  ...boundaries,
  ...licences,
  ...rules(sources),
  ...sizes(sources),
];

let failed = 0;
for (const { name, run } of checks) {
  const startedMs = performance.now();
  const findings = await run();
  const seconds = ((performance.now() - startedMs) / 1000).toFixed(1);
  console.log(`${findings.length === 0 ? '✓' : '✗'} ${name} (${seconds} s)`);
  for (const finding of findings) console.log(`    ${finding.replaceAll('\n', '\n    ')}`);
  if (findings.length > 0) failed += 1;
}
console.log(`\n${tallyLine({ passed: checks.length - failed, failed })}`);
process.exitCode = failed === 0 ? 0 : 1;
