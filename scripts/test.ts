// `npm test`: every test of the project but those of real hosts. Arguments go to vitest; the last
// line is the tally.
import { tallyLine } from './tally.ts';
import { runVitest } from './vitest.ts';

const tally = runVitest(process.argv.slice(2));
console.log('\nThe plugins in real hosts (400 MB of programs) are tested by: npm run hosts');
console.log(`\n${tallyLine(tally)}`);
process.exitCode = tally.failed === 0 && tally.passed > 0 ? 0 : 1;
