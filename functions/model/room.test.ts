// The room's own model: the real store and operations, on a table whose every call is scheduled by
// fast-check, with torn reads, lost answers, expiry and deletion (docs/testing.md).
import * as fc from 'fast-check';
import { beforeAll, describe, test } from 'vitest';
import { type Fixture, makeFixture } from './room/fixture.ts';
import type { Phase } from './room/phases.ts';
import { runScenario } from './room/run-scenario.ts';
import { type Scenario, scenarios } from './room/scenarios.ts';
import { modelSettings } from './settings.ts';

const { times, seed, isFirstEnough } = modelSettings();
const chaos = { torn: 0.7, tornTurns: 10, lost: 0.05, slow: 0.1 };

/** Lets everything go as far as it comes by itself before the next call is picked. */
const scheduler = fc.scheduler({
  act: async (run) => {
    await run();
    await new Promise(setImmediate);
  },
});

describe('a room', () => {
  let opening: Fixture;
  const told = { runs: 0, calls: 0 };
  beforeAll(async () => {
    opening = await makeFixture();
    return () => console.log(`    ${told.runs} runs of ${told.calls} scheduled calls`);
  });

  async function run(scheduler: fc.Scheduler, seed: number, phases: readonly Phase[]) {
    const violations = await runScenario(opening, scheduler, seed, chaos, phases);
    told.runs += 1;
    told.calls += scheduler.report().length;
    if (violations.length > 0) throw new Error(violations.join('\n'));
  }

  const timeoutMs = 120_000 * Math.max(1, times);
  const all: [string, Scenario][] = Object.entries(scenarios);
  test.each(all)('%s', { timeout: timeoutMs }, async (_name, { phases, runs }) => {
    const property = fc.asyncProperty(scheduler, fc.nat(), phases, run);
    await fc.assert(property, {
      numRuns: Math.ceil(runs * times),
      seed,
      ...(isFirstEnough && { endOnFailure: true }),
    });
  });
});
