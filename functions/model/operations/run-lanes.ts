// Runs sequences in several rooms at once: a round of calls side by side, the log, the answers, and
// a look at the room at rest; in the end everything, as everybody sees it.
import * as fc from 'fast-check';
import { startTestHub, type TestHub } from '../../testing/test-hub.ts';
import { checkAnswers } from './answers.ts';
import { noAttempts } from './attempts.ts';
import { type Lane, openLane } from './lane.ts';
import { beginRound, settleLog } from './settle.ts';
import { type Plan, planRound, type Step } from './steps.ts';
import { readTruth } from './truth.ts';
import { closeLane, lookAtAll, lookAtRest } from './views.ts';

const lanes = 8;

/** A Hub on a table where calls conflict, are throttled, half visible, slow, and lose answers. */
export async function startFaultyHub(): Promise<TestHub> {
  const plenty = { size: 1_000_000, refillPerMinute: 1_000_000 };
  const hub = await startTestHub({ policy: { bucket: plenty } });
  const { faults, latency } = hub.db;
  for (const fault of ['throttled', 'internal-error', 'connection-refused'] as const) {
    faults.add({ fault, probability: 0.003 });
  }
  const operation = 'TransactWriteItems';
  for (const fault of ['answer-cut', 'answer-internal-error'] as const) {
    faults.add({ fault, probability: 0.003 });
    faults.add({ fault, operation, probability: 0.02 });
  }
  faults.add({ fault: 'transaction-throttled', operation, probability: 0.01 });
  faults.add({ fault: 'torn-transaction', probability: 0.2, maxPauseMs: 6 });
  latency.set({ scale: 0.02 });
  return hub;
}

async function runRound(lane: Lane, steps: readonly Step[], lot: number): Promise<void> {
  const plan: Plan = { attempts: noAttempts(), touched: new Set(), changesRoster: false };
  const work = planRound(lane, steps, plan);
  const begun = beginRound(lane, plan);
  await Promise.all(work.map((call) => call()));
  const { hub, room, reference } = lane;
  const round = { ...begun, truth: await readTruth(hub.hub.table, room, reference.tick) };
  settleLog(round);
  checkAnswers(round);
  await lookAtRest(lane, lot);
}

/** Runs so many sequences; tells what that took. Rejects at the first violation. */
export async function runLanes(
  hub: TestHub,
  sequence: fc.Arbitrary<Step[][]>,
  sequences: number,
  seed: number,
): Promise<{ sequences: number; text: string }> {
  const open: Lane[] = [];
  for (let number = 0; number < lanes; number += 1) open.push(await openLane(hub, number));
  let ran = 0;
  await Promise.all(
    open.map(async (lane, number) => {
      const property = fc.asyncProperty(sequence, fc.nat({ max: 9_999 }), async (rounds, lot) => {
        for (const steps of rounds) await runRound(lane, steps, lot);
        ran += 1;
      });
      const numRuns = Math.ceil(sequences / lanes);
      // A lane goes on from sequence to sequence: what failed cannot be made smaller.
      await fc.assert(property, { numRuns, seed: seed + number, endOnFailure: true });
      await lookAtAll(lane);
      await closeLane(lane);
    }),
  );
  const calls = open.reduce((sum, lane) => sum + lane.calls.count, 0);
  const ticks = open.reduce((sum, { reference }) => sum + reference.tick, 0);
  const text = `    ${ran} sequences, ${calls} operations, ${ticks} ticks in ${lanes} rooms`;
  return { sequences: ran, text };
}
