// What callers wait for at a cold start stays light.
import { expect, it } from 'vitest';
import { loadTimeRatio } from './budgets.ts';
import { loadBundles, loadRatio, yardstick } from './bundles.ts';

it('the http function loads within its multiple of a handler with only the SDK', () => {
  const [sdk, http] = loadBundles([yardstick, 'http'], 15);
  if (sdk === undefined || http === undefined) throw new Error('nothing was loaded');
  const ratio = loadRatio(http, sdk);
  console.log(`    http loads in ${ratio.toFixed(2)} times the SDK's time`);
  expect(ratio).toBeGreaterThan(1);
  expect(ratio).toBeLessThanOrEqual(loadTimeRatio.atMost);
}, 120_000);
