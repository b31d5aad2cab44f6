// A tenth of the fault campaign; `npm run campaign` runs the whole.
import { expect, it } from 'vitest';
import { runCampaign } from './campaign.ts';

it('loses no message to killed clients, cut sockets, refused posts and a failing notifier', async () => {
  const report = await runCampaign({
    messages: 1_000,
    pushMembers: 15,
    pullMembers: 5,
    senders: 10,
    speed: 60,
  });
  console.log(report);
  expect(report.kills).toBeGreaterThan(0);
  expect(report.cuts).toBeGreaterThan(0);
  expect(report.deliveries).toBeGreaterThan(report.messages);
  expect(report).toMatchObject({ missing: 0, doubledAtPull: 0 });
  expect(report.longestWaitMs).toBeLessThanOrEqual(30_000);
}, 300_000);
