// Takes each rule of a room away, one at a time, and watches a scenario go wrong: each in a vitest
// run and a process of its own, on source text that is patched as it is loaded.
import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, describe, expect, test } from 'vitest';
import { roomMutants } from './mutants/room-mutants.ts';
import { Verdict, verdictMark } from './mutants/verdict.ts';

const run = promisify(execFile);
const main = join(import.meta.dirname, 'main.ts');
/** More than an ordinary run tries: what is looked for here is there to be found. */
const times = 4;
const seed = 1;

async function playWithout(rule: string): Promise<Verdict> {
  const options = ['--without', rule, '--times', String(times), '--seed', String(seed)];
  const { stdout } = await run(process.execPath, [...process.execArgv, main, ...options], {
    maxBuffer: 64 * 1024 * 1024,
  });
  const line = stdout.split('\n').find((text) => text.startsWith(verdictMark));
  return Verdict.parse(JSON.parse(line?.slice(verdictMark.length) ?? '{}'));
}

/** Two at a time, one for each core of a small machine. */
const lanes: Promise<unknown>[] = [Promise.resolve(), Promise.resolve()];

function inLane<Result>(index: number, work: () => Promise<Result>): Promise<Result> {
  const lane = index % lanes.length;
  const result = (lanes[lane] ?? Promise.resolve()).then(work);
  lanes[lane] = result.catch(() => undefined);
  return result;
}

describe('a room without the rule that', { concurrent: true }, () => {
  const told: string[] = [];
  afterAll(() => console.log(['    rule removed -> red', ...told.toSorted()].join('\n')));

  const rules = Object.keys(roomMutants).map((rule, index) => [index, rule] as const);
  test.each(rules)('$1', { timeout: 300_000 }, async (index, rule) => {
    const { faults, violations } = await inLane(index, () => playWithout(rule));
    expect(faults).toEqual([]);
    expect(violations).not.toEqual([]);
    told.push(`    ${rule} -> ${violations[0]}`);
  });
});
