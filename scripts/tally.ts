// The one closing line every program of checks ends with: `N passed, N failed`.

export interface Tally {
  readonly passed: number;
  readonly failed: number;
}

export function tallyLine({ passed, failed }: Tally): string {
  return `${passed} passed, ${failed} failed`;
}

/** Reads the last line of a program's output; undefined if it ended without one. */
export function readTally(output: string): Tally | undefined {
  const line = output.trimEnd().split('\n').at(-1) ?? '';
  const match = /^(\d+) passed, (\d+) failed$/.exec(line);
  return match === null ? undefined : { passed: Number(match[1]), failed: Number(match[2]) };
}

export function sum(tallies: readonly Tally[]): Tally {
  return {
    passed: tallies.reduce((total, { passed }) => total + passed, 0),
    failed: tallies.reduce((total, { failed }) => total + failed, 0),
  };
}
