// The operations' model, members: random rounds of coming, going, moving and speaking at once,
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
  join: 5,
  leave: 4,
  rename: 4,
  continue: 4,
  say: 6,
  reply: 3,
  receive: 3,
  readAnywhere: 1,
  look: 2,
  deleteMessage: 1,
});

const timeout = 600_000 * Math.max(1, times);
test(`${sequences} sequences of comings and goings are answered as they must be`, {
  timeout,
}, async () => {
  const ran = await runLanes(hub, sequence, sequences, seed);
  console.log(ran.text);
  expect(ran.sequences).toBeGreaterThanOrEqual(sequences);
});
