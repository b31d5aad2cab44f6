import { describe, expect, it } from 'vitest';
import type { LogEntry } from './room.ts';
import { countUnread, isMailFor } from './unread.ts';

const nowMs = 1_000_000;
const entry = (seq: number, from: number, changes: Partial<LogEntry> = {}): LogEntry => ({
  seq,
  kind: 'text',
  from,
  to: [5],
  toRoom: false,
  dm: false,
  bytes: 1,
  createdAt: 0,
  expiresAt: nowMs / 1000 + 1,
  prevExpiresAt: 0,
  ...changes,
});

describe('isMailFor', () => {
  it('is true for a live text addressed to the member', () => {
    expect(isMailFor(entry(6, 1), 5, nowMs)).toBe(true);
    expect(isMailFor(entry(6, 1, { to: [], toRoom: true }), 5, nowMs)).toBe(true);
  });

  it.each([
    ['to somebody else', { to: [4] }],
    ['to nobody', { to: [] }],
    ['deleted', { deletedAt: 1 }],
    ['expired this very second', { expiresAt: nowMs / 1000 }],
    ['an intro', { kind: 'intro' as const }],
    ['a deletion addressed like its message', { kind: 'deletion' as const }],
  ])('is false for what is %s', (_, changes) => {
    expect(isMailFor(entry(6, 1, changes), 5, nowMs)).toBe(false);
  });

  it('is false for what the room heard before the member joined, and for its own words', () => {
    expect(isMailFor(entry(4, 1, { to: [], toRoom: true }), 5, nowMs)).toBe(false);
    expect(isMailFor(entry(6, 5, { to: [], toRoom: true }), 5, nowMs)).toBe(false);
  });
});

describe('countUnread', () => {
  it('is nothing without mail', () => {
    expect(countUnread([])).toBeUndefined();
  });

  it('counts, names the newest, and lists senders by their first unread message', () => {
    const mail = [entry(6, 3), entry(8, 1), entry(9, 3), entry(11, 2)];
    expect(countUnread(mail)).toEqual({ unread: 4, upTo: 11, from: [3, 1, 2] });
  });
});
