// The bill against one reckoned by hand from AWS's price list.
import { expect, it } from 'vitest';
import { bill, totalOf } from './cost.ts';
import type { MessageUse } from './message-use.ts';

const call = (writes: number, reads: number, ms: number) => ({ units: { writes, reads }, ms });

/** Two recipients: five requests. */
const use: MessageUse = {
  recipients: 2,
  send: call(8, 6, 60),
  notify: call(0, 8, 50),
  frames: 2,
  inbox: call(0, 6, 40),
  read: call(1, 2, 20),
  storedBytes: 1_000,
};

it.each([
  ['HTTP API', 5],
  // 60 + 2 * (40 + 20) ms at 1 GB, and five requests.
  ['functions called', 0.18 * 13.3334 + 5 * 0.2],
  ['notifier', 0.05 * 0.5 * 13.3334 + 0.2],
  ['frames', 2],
  ['DynamoDB writes', (8 + 2 * 1) * 0.625],
  // What the calls read, and a credential for each request.
  ['DynamoDB reads', (6 + 8 + 2 * (6 + 2) + 5) * 0.125],
  ['storage', 0.45],
  ['logs', 5 * 0.5],
  ['data out', 5 * 2 * 0.09],
])('%s comes to %d dollars a million', (line, dollars) => {
  expect(bill[line]?.(use)).toBeCloseTo(dollars, 6);
});

it('has no other line', () => {
  const lines = Object.values(bill).map((line) => line(use));
  expect(lines).toHaveLength(9);
  expect(totalOf(use)).toBeCloseTo(lines.reduce((sum, dollars) => sum + dollars));
});
