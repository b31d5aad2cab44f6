// The room's own model: the real store and operations, on a table whose every call is scheduled by
// fast-check, with torn reads, lost answers, expiry and deletion (docs/testing.md).
import * as fc from 'fast-check';
import { beforeAll, describe, test } from 'vitest';
import type { Scene } from './plays.ts';
import { rehearse } from './rehearse.ts';
import { type Play, repertoire } from './repertoire.ts';
import { modelSettings } from './settings.ts';
import { type Stage, setStage } from './stage.ts';

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
  let opening: Stage;
  const told = { plays: 0, calls: 0 };
  beforeAll(async () => {
    opening = await setStage();
    return () => console.log(`    ${told.plays} plays of ${told.calls} scheduled calls`);
  });

  async function play(scheduler: fc.Scheduler, seed: number, scenes: readonly Scene[]) {
    const violations = await rehearse(opening, scheduler, seed, chaos, scenes);
    told.plays += 1;
    told.calls += scheduler.report().length;
    if (violations.length > 0) throw new Error(violations.join('\n'));
  }

  const timeoutMs = 120_000 * Math.max(1, times);
  const plays: [string, Play][] = Object.entries(repertoire);
  test.each(plays)('%s', { timeout: timeoutMs }, async (_name, { scenes, runs }) => {
    const property = fc.asyncProperty(scheduler, fc.nat(), scenes, play);
    await fc.assert(property, {
      numRuns: Math.ceil(runs * times),
      seed,
      ...(isFirstEnough && { endOnFailure: true }),
    });
  });
});
