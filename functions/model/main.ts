// The models by hand: more of them, from other dice, or without one of their rules.
//
//   node functions/model/main.ts [--times 20] [--seed 7] [--test 'part of a name']
//   node functions/model/main.ts --without 'part of a rule'      one of its rules
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';
import { createMutantPlugin, type Mutant } from './mutants/mutant-plugin.ts';
import { operationMutants } from './mutants/operation-mutants.ts';
import { roomMutants } from './mutants/room-mutants.ts';
import { type Verdict, verdictMark } from './mutants/verdict.ts';

const { values: options } = parseArgs({
  options: {
    times: { type: 'string', default: '1' },
    seed: { type: 'string' },
    test: { type: 'string' },
    without: { type: 'string' },
  },
});

const rules: [string, Mutant][] = Object.entries({ ...roomMutants, ...operationMutants });
const [, mutant] = rules.find(([name]) => options.without && name.includes(options.without)) ?? [];
if (options.without && mutant === undefined) throw new Error(`no rule has ${options.without}`);
const without = mutant && createMutantPlugin(mutant);
const name = options.test ?? mutant?.test;

const files =
  mutant === undefined
    ? ['functions/model/']
    : ['functions/model/room.test.ts', 'functions/model/operations-'];

const vitest = await startVitest(
  'test',
  files,
  {
    root: join(import.meta.dirname, '..', '..'),
    watch: false,
    // What is kept on disk would outlive the rule's absence.
    fsModuleCache: mutant === undefined,
    ...(name !== undefined && { testNamePattern: name.replace(/[.*+?^${}()|[\]\\]/g, '\\$&') }),
    provide: {
      model: {
        times: Number(options.times),
        seed: Number(options.seed ?? Date.now() % 2 ** 31),
        isFirstEnough: mutant !== undefined,
      },
    },
  },
  { plugins: without === undefined ? [] : [without.plugin] },
);
const verdict = without && judge(without.faults());
await vitest.close();
if (verdict !== undefined) {
  console.log(verdictMark + JSON.stringify(verdict));
  const isRed = verdict.faults.length === 0 && verdict.violations.length > 0;
  process.exitCode = isRed ? 0 : 1;
}

/** What the run without a rule came to. */
function judge(misfits: readonly string[]): Verdict {
  const modules = vitest.state.getTestModules();
  const tests = modules.flatMap((module) => [...module.children.allTests()]);
  const failures = tests.flatMap((test) => test.result().errors ?? []);
  return {
    faults: [
      ...misfits,
      ...modules.flatMap((module) => module.errors().map(({ message }) => message)),
      ...(tests.some((test) => test.result().state !== 'skipped')
        ? []
        : ['the scenario did not run']),
    ],
    violations: failures.flatMap(({ message, cause }) => (cause?.message ?? message).split('\n')),
  };
}
