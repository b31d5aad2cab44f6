// `npm run hosts`: the plugins in the real hosts, whose programs `hosts/package-lock.json` names.
// Arguments go to vitest; the last line is the tally.
import { join } from 'node:path';
import { tallyLine } from './tally.ts';
import { runVitest } from './vitest.ts';

const config = join(import.meta.dirname, '..', 'hosts', 'vitest.config.ts');
const tally = runVitest([`--config=${config}`, ...process.argv.slice(2)]);
console.log(`\n${tallyLine(tally)}`);
process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1;
