import { describe, expect, it } from 'vitest';
import { hostKinds, tierOf } from '../../protocol/nouns.ts';
import { isActivityDue, isFresh, presenceOf } from './presence.ts';
import type { Link } from './room.ts';

const now = 10_000_000;
const minuteMs = 60_000;
const tenMinutes = 10 * minuteMs;

const link: Link = {
  no: 1,
  connection: 'c',
  connectedAt: now - minuteMs,
  seenAt: now - minuteMs,
  wakeable: true,
  epoch: 3,
};
const push = { host: 'codex', lastActiveAt: now - 90_000, epoch: 3, hasLeft: false } as const;
const pull = { ...push, host: 'chatgpt-web' } as const;
const at = (member: Parameters<typeof presenceOf>[0]) => presenceOf(member, now, tenMinutes);

describe('a push member', () => {
  it('is online with a fresh link that said wakeable, and active now', () => {
    expect(at({ ...push, link })).toEqual({
      state: 'online',
      tier: 'push',
      wakeable: true,
      lastActiveAt: now,
    });
  });

  it('shows whether it is busy as its link said', () => {
    expect(at({ ...push, link: { ...link, busy: true } })).toMatchObject({ busy: true });
    expect(at({ ...push, link: { ...link, busy: false } })).toMatchObject({ busy: false });
    expect(at({ ...push, link })).not.toHaveProperty('busy');
  });

  it.each([
    ['it has no link', undefined],
    ['its link is not wakeable', { ...link, wakeable: false }],
    ['its link was silent for eleven minutes', { ...link, seenAt: now - 11 * minuteMs }],
    [
      'its link is older than API Gateway keeps one',
      { ...link, connectedAt: now - 130 * minuteMs },
    ],
    ['its link belongs to a former conversation', { ...link, epoch: 2 }],
  ])('is offline when %s', (_, last) => {
    expect(at({ ...push, link: last })).toMatchObject({ state: 'offline', wakeable: false });
  });

  it('is offline once it left, whatever its link says', () => {
    expect(at({ ...push, link, hasLeft: true })).toMatchObject({ state: 'offline' });
  });

  it('was last active when its link was last heard of, if that is later', () => {
    const silent = { ...link, seenAt: now - 12 * minuteMs };
    expect(at({ ...push, link: silent }).lastActiveAt).toBe(push.lastActiveAt);
    expect(at({ ...push, lastActiveAt: 1, link: silent }).lastActiveAt).toBe(silent.seenAt);
  });
});

describe('a pull member', () => {
  it('is online for ten minutes after its last call, never wakeable', () => {
    expect(at(pull)).toEqual({ state: 'online', tier: 'pull', wakeable: false, lastActiveAt: now });
    expect(at({ ...pull, lastActiveAt: now - tenMinutes })).toEqual({
      state: 'offline',
      tier: 'pull',
      wakeable: false,
      lastActiveAt: now - tenMinutes,
    });
  });

  it('is not online by a link', () => {
    expect(at({ ...pull, lastActiveAt: 0, link })).toMatchObject({ state: 'offline' });
  });
});

describe('presence', () => {
  it.each(hostKinds)('of %s tells its tier', (host) => {
    expect(at({ ...push, host })).toHaveProperty('tier', tierOf[host]);
  });
});

describe('isFresh', () => {
  it('needs the epoch, a recent sign of life and a young connection', () => {
    expect(isFresh(link, 3, now)).toBe(true);
    expect(isFresh(link, 4, now)).toBe(false);
    expect(isFresh({ ...link, seenAt: now - 11 * minuteMs + 1 }, 3, now)).toBe(true);
  });
});

describe('isActivityDue', () => {
  it('is true once a minute', () => {
    expect(isActivityDue(now - minuteMs + 1, now)).toBe(false);
    expect(isActivityDue(now - minuteMs, now)).toBe(true);
  });
});
