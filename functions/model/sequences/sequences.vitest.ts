// Random sequences of operations by several accounts and members, many at once, against a model,
// while
// storage throttles, loses answers and shows commits half done. SEQUENCES=20000 runs more.
import fc from 'fast-check';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startTestHub, type TestHub } from '../../testing/test-hub.ts';
import { Lane } from './lane.ts';
import { sequence } from './steps.ts';

const sequences = Number(process.env['SEQUENCES'] ?? 2_000);
const lanes = 24;

let h: TestHub;
beforeAll(async () => {
  h = await startTestHub({
    policy: { bucket: { size: 1_000_000, refillPerMinute: 1_000_000 }, membersPerRoom: 100 },
  });
});
afterAll(() => h.close());

it(`${sequences} sequences: nothing lost, doubled or shown to a stranger, every count right`, async () => {
  for (const fault of ['throttled', 'internal-error', 'answer-cut'] as const) {
    h.db.faults.add({ fault, probability: 0.005 });
  }
  h.db.faults.add({ fault: 'torn-transaction', probability: 0.1, maxPauseMs: 5 });
  let ran = 0;
  const rooms = Array.from({ length: lanes }, (_, number) => new Lane(h, number));
  await Promise.all(
    rooms.map(async (lane, number) => {
      await lane.open();
      await fc.assert(
        fc.asyncProperty(sequence, async (rounds) => {
          await lane.run(rounds);
          ran += 1;
        }),
        // The room goes on from one sequence to the next, so a failure cannot be made smaller.
        { numRuns: Math.ceil(sequences / lanes), seed: Date.now() + number, endOnFailure: true },
      );
      await lane.finish();
    }),
  );
  const operations = rooms.reduce((sum, lane) => sum + lane.operations, 0);
  console.log(`${ran} sequences, ${operations} operations`);
  expect(ran).toBeGreaterThanOrEqual(sequences);
}, 1_800_000);
