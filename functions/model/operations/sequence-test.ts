// One test of the operations' model: so many sequences of one mixture, on a Hub of its own.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestHub } from '../../testing/test-hub.ts';
import { modelSettings } from '../settings.ts';
import { runLanes, startFaultyHub } from './run-lanes.ts';
import { sequencesOf } from './steps.ts';

/** `what` the sequences are made of, by the weights of their kinds of steps. */
export function testSequences(what: string, weights: Parameters<typeof sequencesOf>[0]): void {
  const { times, seed } = modelSettings();
  const sequences = Math.ceil(1_000 * times);
  const timeout = 600_000 * Math.max(1, times);
  let hub: TestHub;
  beforeAll(async () => {
    hub = await startFaultyHub();
  });
  afterAll(() => hub.close());

  test(`${sequences} sequences of ${what} are answered as they must be`, { timeout }, async () => {
    const ran = await runLanes(hub, sequencesOf(weights), sequences, seed);
    console.log(ran.text);
    expect(ran.sequences).toBeGreaterThanOrEqual(sequences);
  });
}
