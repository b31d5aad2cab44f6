import { expect, test } from 'vitest';
import type { HttpCall } from './http-api/gateway.ts';
import { formatCall, formatFailure } from './terminal.ts';

const now = new Date(2026, 10, 30, 14, 5, 9);
const call: HttpCall = {
  method: 'POST',
  path: '/v1/send',
  routeKey: 'POST /v1/{operation}',
  hostKind: 'claude',
  statusCode: 200,
  durationMs: 12.4,
};
const columnsOf = (change: Partial<HttpCall>) =>
  formatCall({ ...call, ...change }, now).split(/ {2,}/);

test('a call is one line: time, operation, host kind, status, duration', () => {
  expect(columnsOf({})).toEqual(['14:05:09', 'send', 'claude', '200', '12 ms']);
  expect(columnsOf({ path: '/health', routeKey: 'GET /health', hostKind: undefined })).toEqual([
    ...['14:05:09', 'GET /health', '-', '200', '12 ms'],
  ]);
  expect(columnsOf({ path: '/x', routeKey: undefined, statusCode: 404 })[1]).toBe('no route');
});

test('nothing that a caller made up reaches the terminal', () => {
  const clear = '\u001b[2J';
  expect(columnsOf({ path: `/v1/${clear}`, hostKind: `${clear}claude` })).toEqual([
    ...['14:05:09', '?', '-', '200', '12 ms'],
  ]);
  expect(columnsOf({ path: `/v1/${'x'.repeat(100)}`, hostKind: 'a b' }).slice(1, 3)).toEqual([
    '?',
    '-',
  ]);
});

test('a failed invocation is one line without the words of the error', () => {
  const report = { functionId: 'Http', requestId: '1', initMs: undefined, durationMs: 1 };
  const error = { errorType: 'Sandbox.Timedout', errorMessage: 'secret words' };
  expect(formatFailure({ ...report, outcome: { ok: false, error } }, now)).toBe(
    '14:05:09  Http failed: Sandbox.Timedout',
  );
  expect(formatFailure({ ...report, outcome: { ok: true, payload: '1' } }, now)).toBeUndefined();
});
