import { expect, test } from 'vitest';
import type { HttpCall } from './http-api/gateway.ts';
import { formatCall, formatFailure, formatLink, formatTold } from './terminal.ts';
import type { LinkChange } from './web-socket-api/gateway.ts';

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

const link: LinkChange = { change: 'opened', hostKind: 'codex', code: 200, durationMs: 31.6 };
const linkColumnsOf = (change: Partial<LinkChange>) =>
  formatLink({ ...link, ...change }, now).split(/ {2,}/);

test('a link is a line when it opens, is refused, or closes', () => {
  expect(linkColumnsOf({})).toEqual(['14:05:09', 'link opened', 'codex', '200', '32 ms']);
  expect(linkColumnsOf({ change: 'refused', code: 409 }).slice(1, 4)).toEqual([
    ...['link refused', 'codex', '409'],
  ]);
  expect(linkColumnsOf({ change: 'closed', code: 1001, durationMs: 6_300_400 })).toEqual([
    ...['14:05:09', 'link closed', 'codex', '1001', '6300 s'],
  ]);
  expect(linkColumnsOf({ hostKind: 'a\u001b[2J' })[2]).toBe('-');
});

test('being told is a line that counts frames; no other line of a function is shown', () => {
  const told = { level: 'info', operation: 'notify', outcome: 'told', frames: 2, body: 'secret' };
  const lineOf = (line: string) => formatTold({ line }, now);
  expect(lineOf(JSON.stringify(told))?.split(/ {2,}/)).toEqual([
    ...['14:05:09', 'notify', '-', '-', '2 frames'],
  ]);
  expect(lineOf(JSON.stringify({ ...told, frames: 1 }))).toMatch(/ 1 frame$/);
  for (const change of [{ operation: 'send' }, { outcome: 'unavailable' }, { frames: 'many' }]) {
    expect(lineOf(JSON.stringify({ ...told, ...change }))).toBeUndefined();
  }
  expect(lineOf('words')).toBeUndefined();
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
