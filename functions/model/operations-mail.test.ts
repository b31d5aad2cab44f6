// The operations' model, mail: random rounds of sending, reading, repeating and deleting at once,
// through `execute` on the local table with all that goes wrong there, against a reference that is
// told by the log alone.
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestHub } from '../testing/test-hub.ts';
import { runLanes, startFaultyHub } from './operations/run-lanes.ts';
import { sequencesOf } from './operations/steps.ts';
import { modelSettings } from './settings.ts';

const { times, seed } = modelSettings();
const sequences = Math.ceil(1_000 * times);

let hub: TestHub;
beforeAll(async () => {
  hub = await startFaultyHub();
});
afterAll(() => hub.close());

const sequence = sequencesOf({
  say: 10,
  reply: 6,
  receive: 6,
  readAnywhere: 3,
  repeat: 3,
  look: 2,
  deleteMessage: 3,
  join: 2,
  leave: 1,
});

const timeout = 600_000 * Math.max(1, times);
test(`${sequences} sequences of mail are answered as they must be`, { timeout }, async () => {
  const ran = await runLanes(hub, sequence, sequences, seed);
  console.log(ran.text);
  expect(ran.sequences).toBeGreaterThanOrEqual(sequences);
});
