// Sizes of files (design: what good looks like).
import type { Check } from '../check.ts';
import type { Source } from './sources.ts';

const maxLines = 400;
const maxMedianLines = 80;
const maxP90Lines = 250;
const maxColumns = 100;

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

const total = (sources: readonly Source[]) =>
  sources.reduce((sum, { lines }) => sum + lines.length, 0);

export function sizes(all: readonly Source[]): readonly Check[] {
  const source = all.filter(({ isTest }) => !isTest);
  const tests = all.filter(({ isTest }) => isTest);
  // Checks and measurements are neither what is tested nor its tests.
  const product = source.filter(({ path }) => !/^(scripts|bench)\//.test(path));
  const lengths = source.map(({ lines }) => lines.length);
  return [
    {
      name: `no file over ${maxLines} lines`,
      run: () =>
        all
          .filter(({ lines }) => lines.length > maxLines)
          .map(({ path, lines }) => `${path}: ${lines.length} lines; split it by job`),
    },
    {
      name: `median file of at most ${maxMedianLines} lines, 90 % of at most ${maxP90Lines}`,
      run: () => {
        const [median, p90] = [quantile(lengths, 0.5), quantile(lengths, 0.9)];
        console.log(`    ${lengths.length} files, median ${median}, p90 ${p90} lines`);
        return median <= maxMedianLines && p90 <= maxP90Lines ? [] : ['files have grown'];
      },
    },
    {
      name: 'at least as much test as source',
      run: () => {
        const [tested, testing] = [total(product), total(tests)];
        console.log(`    ${tested} lines of source, ${testing} lines of tests`);
        return testing >= tested ? [] : ['more source than tests'];
      },
    },
    {
      name: `lines of at most ${maxColumns} columns`,
      run: () =>
        all.flatMap(({ path, lines }) =>
          lines.flatMap((line, index) =>
            line.length > maxColumns && !isUnbreakable(line)
              ? [`${path}:${index + 1}: ${line.length} columns`]
              : [],
          ),
        ),
    },
  ];
}

/** A string or an address that the formatter cannot break either. */
function isUnbreakable(line: string): boolean {
  return (
    /['"`][^'"`]{30,}|https?:\/\//.test(line) || /^\s*\/\*\*?|^\s*(\/\/|\*) \S{60,}/.test(line)
  );
}
