// Injected latency: its shape, its scale, and that calls really take that long.
import { GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { expect, test } from 'vitest';
import { createLatency } from './latency.ts';
import { startTestDynamoDb, testTable } from './testing.ts';

function quantile(values: readonly number[], share: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * share)] ?? Number.NaN;
}
function draws(operation: string, setting: { scale: number; seed?: number }): number[] {
  const latency = createLatency();
  latency.set(setting);
  return Array.from({ length: 20_000 }, () => latency.draw(operation));
}

test.each([
  ['GetItem', 4, undefined, undefined],
  ['PutItem', 7.6, 11.3, 16.2],
  ['TransactWriteItems', 25.3, 30.7, 92.5],
])('%s has the measured median and tails', (operation, p50, p90, p99) => {
  const values = draws(operation, { scale: 1 });
  expect(quantile(values, 0.5) / p50).toBeCloseTo(1, 1);
  if (p90 !== undefined) expect(quantile(values, 0.9) / p90).toBeCloseTo(1, 1);
  if (p99 !== undefined) expect(quantile(values, 0.99) / p99).toBeGreaterThan(0.85);
  if (p99 !== undefined) expect(quantile(values, 0.99) / p99).toBeLessThan(1.2);
});

test('the scale multiplies, the seed repeats', () => {
  const once = draws('PutItem', { scale: 1, seed: 5 });
  expect(draws('PutItem', { scale: 1, seed: 5 })).toEqual(once);
  expect(draws('PutItem', { scale: 1, seed: 6 })).not.toEqual(once);
  expect(draws('PutItem', { scale: 3, seed: 5 })[0]).toBeCloseTo(3 * (once[0] ?? 0));
});

test('calls take that long while it is on', async () => {
  const running = await startTestDynamoDb();
  const client = running.client();
  const Item = { pk: 'a', sk: 'b' };
  const timed = async (work: () => Promise<unknown>) => {
    const startedAt = performance.now();
    await work();
    return performance.now() - startedAt;
  };
  const put = () =>
    timed(() => client.send(new PutCommand({ TableName: testTable.tableName, Item })));
  const get = () =>
    timed(() => client.send(new GetCommand({ TableName: testTable.tableName, Key: Item })));
  await put();
  running.db.latency.set({ scale: 20 });
  expect(await put()).toBeGreaterThan(20 * 5.5 - 1);
  expect(await get()).toBeGreaterThan(20 * 2.6 - 1);
  running.db.latency.off();
  expect(Math.min(await put(), await put(), await put())).toBeLessThan(20 * 5.5);
  await running.close();
});
