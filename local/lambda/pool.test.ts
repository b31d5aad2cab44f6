import { describe, expect, test, vi } from 'vitest';
import { functionResource, type Json, poolOf } from '../fixtures/resources.ts';
import { payloadLimitBytes } from './messages.ts';
import type { Outcome } from './outcome.ts';
import type { FunctionPool } from './pool.ts';

const call = (pool: FunctionPool, event: unknown = {}) => pool.invoke(JSON.stringify(event));

async function resultOf(outcome: Outcome | Promise<Outcome>) {
  const settled = await outcome;
  if (!settled.ok) throw new Error(settled.error.errorMessage);
  return JSON.parse(settled.payload);
}

async function errorOf(outcome: Promise<Outcome>) {
  const settled = await outcome;
  if (settled.ok) throw new Error('it succeeded');
  return settled.error;
}

describe.each(['worker', 'process'] as const)('an environment that is a %s', (mode) => {
  const poolWith = (handler: string, properties: Json = {}) =>
    poolOf(functionResource(handler, properties), { mode });

  test('gives the handler its event, its context and only the variables meant for it', async () => {
    vi.stubEnv('SECRET_OF_THE_DEVELOPER', 'x');
    const Variables = { TABLE_NAME: 'hub' };
    const { pool } = poolWith('echo', { Environment: { Variables }, MemorySize: 256, Timeout: 7 });
    const { event, context, variables } = await resultOf(call(pool, { a: ['ü'] }));
    expect(event).toEqual({ a: ['ü'] });
    expect(context).toMatchObject({
      functionName: 'Fn',
      functionVersion: '$LATEST',
      invokedFunctionArn: 'arn:aws:lambda:eu-central-1:000000000000:function:Fn',
      memoryLimitInMB: '256',
    });
    expect(context.awsRequestId).toMatch(/^[0-9a-f-]{36}$/);
    expect(context.remainingMs).toBeGreaterThan(6_000);
    expect(context.remainingMs).toBeLessThanOrEqual(7_000);
    expect(variables).toMatchObject({
      TABLE_NAME: 'hub',
      AWS_ACCESS_KEY_ID: 'Fn',
      AWS_REGION: 'eu-central-1',
      AWS_LAMBDA_FUNCTION_NAME: 'Fn',
    });
    expect(variables).not.toHaveProperty('SECRET_OF_THE_DEVELOPER');
    vi.unstubAllEnvs();
  });

  test('starts cold once and then stays warm', async () => {
    const { pool, reports } = poolWith('echo');
    const first = await resultOf(call(pool));
    const second = await resultOf(call(pool));
    expect([first.calls, second.calls]).toEqual([1, 2]);
    expect(second.loadedAt).toBe(first.loadedAt);
    expect(reports[0]?.initMs).toBeGreaterThan(0);
    expect(reports[1]?.initMs).toBeUndefined();
  });

  test('is killed when the handler takes too long, and replaced', async () => {
    const { pool } = poolWith('block', { Timeout: 1, ReservedConcurrentExecutions: 1 });
    const { errorType, errorMessage } = await errorOf(call(pool));
    expect(errorType).toBe('Sandbox.Timedout');
    expect(errorMessage).toMatch(/^RequestId: \S+ Error: Task timed out after 1\.00 seconds$/);
    expect((await errorOf(call(pool))).errorType).toBe('Sandbox.Timedout');
  });

  test('fails only the event it crashes on', async () => {
    const { pool } = poolWith('crash');
    expect(await errorOf(call(pool))).toEqual({
      errorType: 'Runtime.ExitError',
      errorMessage: 'Error: Runtime exited with error: exit status 3',
    });
    expect((await errorOf(call(pool))).errorType).toBe('Runtime.ExitError');
  });

  test('reports what the handler throws by type and message, and lives on', async () => {
    const { pool, reports } = poolWith('fail');
    const error = await errorOf(call(pool));
    expect(error).toMatchObject({ errorType: 'RangeError', errorMessage: 'out of reach' });
    await call(pool);
    expect(reports.map(({ initMs }) => initMs === undefined)).toEqual([false, true]);
  });

  test('hands on every line it prints, with the request that printed it', async () => {
    const { pool, lines, reports } = poolWith('print');
    await call(pool, { line: '{"level":"info"}' });
    await expect.poll(() => lines.length).toBe(2);
    expect(lines.map(({ line }) => line).sort()).toEqual([
      '{"level":"info"}',
      '{"level":"info"} again',
    ]);
    expect(new Set(lines.map(({ requestId }) => requestId))).toEqual(
      new Set([reports[0]?.requestId]),
    );
  });

  test('sees a clock that can be moved while it runs', async () => {
    const day = 86_400_000;
    const { pool } = poolOf(functionResource('echo'), { mode, clockShiftMs: day });
    const cold = await resultOf(call(pool));
    expect(cold.loadedAt).toBeGreaterThan(Date.now() + day - 60_000);
    pool.setClockShift(40 * day);
    const warm = await resultOf(call(pool));
    expect(warm.now).toBeGreaterThan(Date.now() + 40 * day - 60_000);
    expect(Date.parse(warm.today) - warm.now).toBeLessThan(1_000);
  });

  test('cannot load its handler: the event fails with the reason', async () => {
    const { pool } = poolOf(functionResource('handler', {}, 'broken'), { mode });
    expect(await errorOf(call(pool))).toMatchObject({
      errorType: 'SyntaxError',
      errorMessage: 'unfinished',
    });
    const missing = poolOf(functionResource('nothing'), { mode });
    expect((await errorOf(call(missing.pool))).errorMessage).toContain('index.nothing');
  });
});

describe('a pool', () => {
  test('works on two events at once and queues the rest', async () => {
    const { pool, reports } = poolOf(functionResource('sleep'));
    const spans: { startedAt: number; endedAt: number }[] = await Promise.all(
      [1, 2, 3].map(() => resultOf(call(pool, { ms: 1_200 }))),
    );
    const overlaps = spans.map(
      ({ startedAt }) =>
        spans.filter((other) => other.startedAt <= startedAt && startedAt < other.endedAt).length,
    );
    expect(Math.max(...overlaps)).toBe(2);
    expect(reports.filter(({ initMs }) => initMs !== undefined)).toHaveLength(2);
  });

  test('never has more environments than the function reserves', async () => {
    const { pool } = poolOf(functionResource('sleep', { ReservedConcurrentExecutions: 1 }));
    const spans = await Promise.all([1, 2, 3].map(() => resultOf(call(pool, { ms: 30 }))));
    const starts = spans.map(({ startedAt }) => startedAt);
    const ends = spans.map(({ endedAt }) => endedAt);
    expect(starts[1]).toBeGreaterThanOrEqual(ends[0]);
    expect(starts[2]).toBeGreaterThanOrEqual(ends[1]);
  });

  test('gives queued events fresh environments when those it had are killed', async () => {
    const { pool } = poolOf(functionResource('sleep', { ReservedConcurrentExecutions: 1 }));
    await call(pool, { ms: 0 });
    const [cut, queued] = [call(pool, { ms: 10_000 }), call(pool, { ms: 0 })];
    await pool.kill();
    expect((await errorOf(cut)).errorType).toBe('Runtime.ExitError');
    expect(await resultOf(queued)).toHaveProperty('endedAt');
  });

  test('ends what is running when it closes', async () => {
    const { pool } = poolOf(functionResource('sleep'), { mode: 'process' });
    await call(pool, { ms: 0 });
    const [pid = 0] = pool.pids;
    const running = call(pool, { ms: 60_000 });
    await pool.close();
    expect((await errorOf(running)).errorType).toBe('Runtime.ExitError');
    expect((await errorOf(call(pool))).errorMessage).toBe('The stack is stopping');
    expect(() => process.kill(pid, 0)).toThrow('ESRCH');
  });

  test('refuses events and results over 6 MB', async () => {
    const { pool } = poolOf(functionResource('large'));
    const big = await call(pool, { bytes: payloadLimitBytes - 2 });
    expect(big.ok).toBe(true);
    expect((await errorOf(call(pool, { bytes: payloadLimitBytes - 1 }))).errorType).toBe(
      'Function.ResponseSizeTooLarge',
    );
    const event = { text: 'x'.repeat(payloadLimitBytes) };
    expect((await errorOf(call(pool, event))).errorType).toBe('RequestEntityTooLargeException');
  });

  test('stops a function that uses more memory than it has', async () => {
    const { pool } = poolOf(functionResource('hoard', { MemorySize: 128 }), { mode: 'process' });
    expect((await errorOf(call(pool))).errorType).toBe('Runtime.ExitError');
  });
});
