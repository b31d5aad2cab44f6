import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { HubError, nextStepOf } from '../errors.ts';
import { sampleMembers, sampleNowMs } from '../fixtures/samples.ts';
import { hostile, unsafe } from '../testing/hostile.ts';
import { renderError } from './errors.ts';

const context = { nowMs: sampleNowMs };

describe('errors', () => {
  test('say the code, what happened, and what to do next', () => {
    const lines = renderError(new HubError('no_such_room', 'no room has this code'), context);
    expect(lines.split('\n')).toEqual([
      'Error no_such_room: no room has this code',
      nextStepOf.no_such_room,
    ]);
  });

  test('list the members to pick from, without their intros', () => {
    const error = new HubError('no_such_member', 'x', { members: sampleMembers });
    const shown = renderError(error, context);
    for (const { address } of sampleMembers) expect(shown).toMatch(`\n- ${address}`);
    expect(shown).not.toMatch('Ask me about keys');
  });

  test('say when the limit allows it again', () => {
    const error = new HubError('rate_limited', 'x', { retryAfterSeconds: 1 });
    expect(renderError(error, context)).toMatch(/again in 1 second\.$/);
  });

  test('a lost pull inbox sends the agent to the history, not back to the inbox', () => {
    const lost = new HubError('unavailable', 'x');
    expect(renderError(lost, { ...context, isPullInbox: true })).toMatch('Call history');
    expect(renderError(lost, { ...context, isPullInbox: true })).not.toMatch('may be repeated');
    expect(renderError(lost, context)).toMatch('may be repeated');
    const other = new HubError('not_in_room', 'x');
    expect(renderError(other, { ...context, isPullInbox: true })).not.toMatch('history');
  });

  test('no message of the Hub leaves its line', () => {
    fc.assert(
      fc.property(hostile, (message) => {
        const shown = renderError(new HubError('forbidden', message), context);
        expect(shown.split('\n')).toHaveLength(2);
        expect(shown.replaceAll('\n', '')).not.toMatch(unsafe);
      }),
    );
  });
});
