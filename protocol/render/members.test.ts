import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sampleMember, sampleNowMs } from '../fixtures/samples.ts';
import type { MemberView } from '../nouns.ts';
import { hostile, unsafe } from '../testing/hostile.ts';
import { memberLine, reachability } from './members.ts';

describe('members', () => {
  test('no name or workspace leaves its line', () => {
    fc.assert(
      fc.property(hostile, hostile, hostile, (address, repo, branch) => {
        const member: MemberView = { ...sampleMember, address, workspace: { repo, branch } };
        expect(memberLine(member, sampleNowMs)).not.toMatch(unsafe);
        expect(reachability(member, sampleNowMs)).not.toMatch(unsafe);
      }),
    );
  });

  test.each<[Partial<MemberView>, string]>([
    [{ state: 'online', tier: 'push' }, 'online; told now'],
    [{ state: 'online', tier: 'pull' }, 'online in a web chat; reads it at its next inbox check'],
    [
      { state: 'offline', lastActiveAt: sampleNowMs - 3 * 3_600_000 },
      'offline, last active 3 hours ago; reads it when its owner is next back in that conversation',
    ],
  ])('%j is reached: %s', (presence, words) => {
    expect(reachability({ ...sampleMember, ...presence }, sampleNowMs)).toBe(
      `henry/hub-refactor: ${words}`,
    );
  });
});
