// Asserting that a Hub refuses, and with which code.
import assert from 'node:assert/strict';
import { type ErrorCode, HubError } from '../protocol/errors.ts';

/** The refusal; fails if the attempt succeeds or is refused with another code. */
export async function refused(code: ErrorCode, attempt: Promise<unknown>): Promise<HubError> {
  const outcome = await attempt.then(
    (result) => `a success: ${JSON.stringify(result)}`,
    (error: unknown) => error,
  );
  if (!(outcome instanceof HubError)) {
    throw outcome instanceof Error ? outcome : new Error(`expected ${code}, got ${outcome}`);
  }
  assert.equal(outcome.code, code, `${outcome.code}: ${outcome.message}`);
  return outcome;
}
