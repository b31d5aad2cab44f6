import { describe, expect, it } from 'vitest';
import { isAddressedTo } from './recipients.ts';
import type { LogEntry } from './room.ts';
import { logKinds } from './room.ts';
import { inView, mayRead } from './visibility.ts';

const entry: LogEntry = {
  seq: 10,
  kind: 'text',
  id: 'm_0000000000',
  from: 1,
  to: [2],
  toRoom: false,
  dm: false,
  bytes: 1,
  createdAt: 0,
  expiresAt: 1,
  prevExpiresAt: 1,
};
const dm = { ...entry, dm: true };
const eyes = (...numbers: number[]) => new Set(numbers);

describe('mayRead', () => {
  it('shows room messages to everybody', () => {
    expect(mayRead(entry, eyes())).toBe(true);
    expect(mayRead(entry, eyes(9))).toBe(true);
  });

  it('shows a dm to its sender and its recipients alone', () => {
    expect([1, 2, 3].map((no) => mayRead(dm, eyes(no)))).toEqual([true, true, false]);
    expect(mayRead(dm, eyes())).toBe(false);
    expect(mayRead(dm, eyes(3, 2))).toBe(true);
  });

  it.each(logKinds)('shows an entry of kind %s only if it is a message', (kind) => {
    expect(mayRead({ ...entry, kind }, eyes(1))).toBe(kind === 'text' || kind === 'intro');
  });
});

describe('inView', () => {
  const shows = (
    message: LogEntry,
    view: 'room' | 'correspondence' | undefined,
    ...mine: number[]
  ) => inView(message, eyes(...mine), view, isAddressedTo);

  it('room: room messages only, not even own dms', () => {
    expect(shows(entry, 'room', 1)).toBe(true);
    expect(shows(dm, 'room', 1)).toBe(false);
  });

  it('correspondence: what these stays said or received, by name or with the room', () => {
    expect(shows(entry, 'correspondence', 1)).toBe(true);
    expect(shows(entry, 'correspondence', 2)).toBe(true);
    expect(shows(entry, 'correspondence', 3)).toBe(false);
    expect(shows({ ...entry, to: [], toRoom: true }, 'correspondence', 3)).toBe(true);
    expect(shows({ ...entry, to: [], toRoom: true }, 'correspondence', 11)).toBe(false);
    expect(shows(dm, 'correspondence', 2)).toBe(true);
  });

  it('absent: both, and never a dm of others', () => {
    expect(shows(entry, undefined, 3)).toBe(true);
    expect(shows(dm, undefined, 2)).toBe(true);
    expect(shows(dm, undefined, 3)).toBe(false);
    expect(shows(dm, 'correspondence', 3)).toBe(false);
  });
});
