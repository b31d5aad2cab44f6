import { describe, expect, test } from 'vitest';
import {
  ErrorBody,
  errorCodes,
  HubError,
  httpStatusOf,
  isRetryable,
  logLevelOf,
  nextStepOf,
} from './errors.ts';
import { sampleMembers } from './fixtures/samples.ts';

test.each([
  ['status', httpStatusOf],
  ['retryable', isRetryable],
  ['next step', nextStepOf],
  ['log level', logLevelOf],
])('the map of %s has every code and no other', (_name, map) => {
  expect(Object.keys(map).sort()).toEqual([...errorCodes].sort());
});

test('a client repeats by itself exactly what is a fault of the Hub', () => {
  for (const code of errorCodes) expect(isRetryable[code]).toBe(httpStatusOf[code] >= 500);
});

test('statuses of refusals', () => {
  expect(httpStatusOf).toMatchObject({
    invalid_input: 400,
    not_logged_in: 401,
    forbidden: 403,
    no_such_room: 404,
    already_in_room: 409,
    upgrade_required: 426,
    rate_limited: 429,
    unavailable: 503,
  });
});

test('every next step is one line of whole sentences', () => {
  for (const code of errorCodes) expect(nextStepOf[code]).toMatch(/^[A-Z][^\n]*\.$/);
});

test('a HubError is an error with a code', () => {
  const error = new HubError('rate_limited', 'too fast', { retryAfterSeconds: 3 });
  expect(error).toBeInstanceOf(Error);
  expect(`${error}`).toBe('HubError: too fast');
  expect(error).toMatchObject({ code: 'rate_limited', data: { retryAfterSeconds: 3 } });
});

describe('the body of an error', () => {
  test('keeps what it knows and what it does not', () => {
    const data = { members: sampleMembers, room: 'Hub' };
    expect(ErrorBody.parse({ code: 'no_such_member', message: 'x', data }).data).toEqual(data);
  });

  test.each([
    ['no object', 'members'],
    ['null', null],
  ])('survives details that are %s', (_what, data) => {
    const body = ErrorBody.parse({ code: 'no_such_member', message: 'x', data });
    expect(body).toEqual({ code: 'no_such_member', message: 'x', data: undefined });
  });

  test('survives details of another shape', () => {
    const data = { members: ['henry/a'], retryAfterSeconds: 'soon' };
    const body = ErrorBody.parse({ code: 'rate_limited', message: 'x', data });
    expect(body.data).toEqual({});
  });

  test('has a code of the protocol', () => {
    expect(ErrorBody.safeParse({ code: 'teapot', message: 'x' }).success).toBe(false);
  });
});
