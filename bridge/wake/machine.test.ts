// What holds for every course of events; the rules one by one are in `rules.test.ts`.
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Unread } from '../../protocol/nouns.ts';
import {
  initialWakeState,
  keyOf,
  noticeAt,
  noticeToWake,
  step,
  type WakeState,
} from './machine.ts';

const unread = (upTo: number, count = 1): Unread => ({
  unread: count,
  upTo,
  from: ['alice/review'],
});

describe('the key of an unread state', () => {
  test('is upTo:consumed, and there is none without unread mail', () => {
    let state = step(initialWakeState, 'notified', unread(9, 3));
    expect(keyOf(state)).toBe('9:0');
    state = step(state, 'inboxAsked', undefined);
    state = step(state, 'inboxDelivered', { upTo: 7, messages: 1, remaining: unread(9, 2) });
    expect(keyOf(state)).toBe('9:7');
    state = step(state, 'inboxDelivered', { upTo: 9, messages: 2, remaining: null });
    expect(keyOf(state)).toBeUndefined();
    expect(keyOf(step(state, 'notified', unread(9)))).toBeUndefined();
    expect(keyOf(step(state, 'notified', unread(12, 0)))).toBeUndefined();
  });
});

test('a message deleted after its notice does not announce the older ones again', () => {
  let state = step(initialWakeState, 'notified', unread(9, 2));
  state = step(state, 'carried', '9:0');
  state = step(state, 'turnEnded', undefined);
  state = step(state, 'notified', unread(8));
  expect(noticeToWake(state)).toBeUndefined();
  expect(noticeToWake(step(state, 'notified', unread(10, 2)))?.key).toBe('10:0');
});

test('a count that came during a read does not count what was read', () => {
  let state = step(initialWakeState, 'notified', unread(3, 3));
  state = step(state, 'inboxAsked', undefined);
  state = step(state, 'notified', unread(4, 4));
  state = step(state, 'inboxDelivered', { upTo: 3, messages: 3, remaining: null });
  expect(noticeToWake(state)?.text).toMatch('1 unread message from');
});

/** What can happen, as functions, so that an event fits the state it happens in. */
type Happening = (state: WakeState) => WakeState;

const arbitraryUnread = fc.record({
  unread: fc.integer({ min: 0, max: 3 }),
  upTo: fc.integer({ min: 1, max: 9 }),
  from: fc.constant<string[]>(['alice/review']),
});
const happening = fc.oneof<fc.Arbitrary<Happening>[]>(
  arbitraryUnread.map((event) => (state) => step(state, 'notified', event)),
  fc
    .constantFrom(
      'turnBegan' as const,
      'turnEnded' as const,
      'inboxAsked' as const,
      'inboxDropped' as const,
      'hostChanged' as const,
      'noticeForgotten' as const,
      'wakeTaken' as const,
      'wakeRefused' as const,
    )
    .map((name) => (state) => step(state, name, undefined)),
  fc.record({ upTo: fc.integer({ min: 0, max: 9 }), remaining: arbitraryUnread }).map((batch) => {
    const remaining = batch.remaining.upTo > batch.upTo ? batch.remaining : null;
    return (state) => step(state, 'inboxDelivered', { ...batch, messages: 1, remaining });
  }),
);

test('whatever happens, a state is announced once, and two notices never wait', () => {
  const places = fc.constantFrom(
    'prompt' as const,
    'tool' as const,
    'end' as const,
    'idle' as const,
  );
  fc.assert(
    fc.property(fc.array(fc.tuple(happening, places)), (course) => {
      let state = initialWakeState;
      const announced = new Set<string>();
      for (const [happens, place] of course) {
        const before = state.consumed;
        state = happens(state);
        expect(state.consumed).toBeGreaterThanOrEqual(before);
        const due = place === 'idle' ? noticeToWake(state) : noticeAt(state, place);
        if (due === undefined) continue;
        expect(announced).not.toContain(due.key);
        expect(due.key).toBe(keyOf(state));
        if (place !== 'end') expect(state.outstanding).toBeUndefined();
        if (place === 'idle') state = step(step(state, 'wakeCalled', due), 'wakeTaken', undefined);
        else state = step(state, 'carried', due.key);
        announced.add(due.key);
      }
    }),
    { numRuns: 2_000 },
  );
});

test('whatever happened, mail that is newer than all is announced in the end', () => {
  fc.assert(
    fc.property(fc.array(happening), (course) => {
      let state = course.reduce((before, happens) => happens(before), initialWakeState);
      state = step(state, 'notified', unread(10));
      for (const settled of ['wakeRefused', 'turnBegan', 'turnEnded', 'inboxDropped'] as const) {
        state = step(state, settled, undefined);
      }
      expect(noticeToWake(state)?.key).toBe(`10:${state.consumed}`);
    }),
  );
});
