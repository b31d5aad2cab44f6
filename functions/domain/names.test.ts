import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { MemberName } from '../../protocol/ids.ts';
import { hostKinds } from '../../protocol/nouns.ts';
import { freeName, proposedName } from './names.ts';

describe('proposedName', () => {
  it.each([
    ['Hub refactor', 'acme/hub', 'hub-refactor'],
    [undefined, 'acme/hub', 'hub'],
    [undefined, 'git@host:acme/My_Repo.git', 'my-repo'],
    [undefined, 'C:\\work\\hub', 'hub'],
    ['🙂', 'acme/hub', 'hub'],
    ['🙂', '🙂', 'codex'],
    [undefined, '', 'codex'],
  ])('of %s in %s is %s', (name, repo, expected) => {
    expect(proposedName(name, repo, 'codex')).toBe(expected);
  });

  it('is always a legal member name', () => {
    const text = fc.string({ unit: 'binary' });
    fc.assert(
      fc.property(
        fc.option(text, { nil: undefined }),
        text,
        fc.constantFrom(...hostKinds),
        (name, repo, host) => {
          expect(MemberName.safeParse(proposedName(name, repo, host)).success).toBe(true);
        },
      ),
    );
  });
});

describe('freeName', () => {
  const among =
    (...taken: string[]) =>
    (name: string) =>
      taken.includes(name);

  it('keeps a free name, and counts from 2 for a taken one', () => {
    expect(freeName('hub', among())).toBe('hub');
    expect(freeName('hub', among('hub'))).toBe('hub-2');
    expect(freeName('hub', among('hub', 'hub-2', 'hub-3'))).toBe('hub-4');
  });

  it('cuts a long name so that the suffix fits and no hyphen doubles', () => {
    const long = 'a'.repeat(40);
    expect(freeName(long, among(long))).toBe(`${'a'.repeat(38)}-2`);
    const hyphen = `${'a'.repeat(37)}-bb`;
    expect(freeName(hyphen, among(hyphen))).toBe(`${'a'.repeat(37)}-2`);
  });

  it('always finds a legal name that is free', () => {
    const name = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/);
    fc.assert(
      fc.property(name, fc.integer({ min: 0, max: 30 }), (wanted, others) => {
        const taken = new Set<string>();
        for (let i = 0; i <= others; i += 1) {
          const free = freeName(wanted, (candidate) => taken.has(candidate));
          expect(taken.has(free)).toBe(false);
          expect(MemberName.safeParse(free).success).toBe(true);
          taken.add(free);
        }
      }),
    );
  });
});
