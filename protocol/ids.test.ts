import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  Address,
  ConversationHandle,
  ConversationId,
  formatAddress,
  formatConversationHandle,
  formatRoomCode,
  Handle,
  MemberName,
  MemberReference,
  MessageId,
  mintId,
  mintRoomCode,
  normalizeRoomCode,
  parseAddress,
  RoomCode,
  RoomId,
  resolveReference,
  slugMemberName,
} from './ids.ts';

const accepts = (schema: { safeParse(value: unknown): { success: boolean } }, value: unknown) =>
  schema.safeParse(value).success;

const randomBytes = fc.uint8Array({ minLength: 10, maxLength: 16 });
const timeMs = fc.integer({ min: 0, max: 2 ** 48 });
const anyText = fc.string({ unit: 'binary' });
const handle = fc.stringMatching(/^[a-z][a-z0-9_]{2,23}$/);
const memberName = fc.stringMatching(/^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/);

describe('IDs', () => {
  test('are accepted by the schema of their prefix and by no other', () => {
    fc.assert(
      fc.property(timeMs, randomBytes, (nowMs, random) => {
        expect(mintId('r_', nowMs, random)).toMatch(/^r_[0-9abcdefghjkmnpqrstvwxyz]{26}$/);
        expect(accepts(RoomId, mintId('r_', nowMs, random))).toBe(true);
        expect(accepts(MessageId, mintId('r_', nowMs, random))).toBe(false);
      }),
    );
  });

  test('sort by the time they were made, whatever the random part', () => {
    fc.assert(
      fc.property(timeMs, timeMs, randomBytes, randomBytes, (a, b, randomA, randomB) => {
        fc.pre(a < b);
        expect(mintId('m_', a, randomA) < mintId('m_', b, randomB)).toBe(true);
      }),
    );
  });

  test('use every random bit', () => {
    const base = new Uint8Array(10);
    const minted = new Set([mintId('m_', 0, base)]);
    for (let bit = 0; bit < 80; bit += 1) {
      const changed = base.with(bit >> 3, 1 << (bit & 7));
      minted.add(mintId('m_', 0, changed));
    }
    expect(minted.size).toBe(81);
  });

  test('write time and random as big-endian base 32', () => {
    const random = new Uint8Array([0x08, 0x86, 0x42, 0x98, 0xe8, 0x4a, 0x96, 0xc6, 0xb9, 0xf0]);
    expect(mintId('c_', 32 ** 2 + 31, random)).toBe('c_000000010z123456789abcdefg');
  });

  test('are not made of too few random bytes', () => {
    expect(() => mintId('m_', 0, new Uint8Array(9))).toThrow(RangeError);
  });

  test.each([
    ['m_1234567', false],
    ['m_12345678', true],
    [`m_${'z'.repeat(40)}`, true],
    [`m_${'z'.repeat(41)}`, false],
    ['m_1234567A', false],
    ['m_12345678\n', false],
    ['r_12345678', false],
    ['12345678', false],
  ])('%j is a message ID: %s', (value, expected) => {
    expect(accepts(MessageId, value)).toBe(expected);
  });
});

describe('conversation handles', () => {
  test('read back what was written', () => {
    fc.assert(
      fc.property(timeMs, randomBytes, randomBytes, (nowMs, a, b) => {
        const parts = { room: mintId('r_', nowMs, a), conversation: mintId('c_', nowMs, b) };
        expect(ConversationHandle.parse(formatConversationHandle(parts))).toEqual(parts);
      }),
    );
  });

  test.each(['', '.', 'r_12345678', 'r_12345678.m_12345678', 'r_12345678.c_12345678.c_12345678'])(
    '%j is refused',
    (value) => {
      expect(accepts(ConversationHandle, value)).toBe(false);
    },
  );
});

describe('room codes', () => {
  test('each letter stands for one of the 32 values of 5 bits: no bias', () => {
    const lastLetters = new Set<string>();
    for (let value = 0; value < 32; value += 1) {
      lastLetters.add(mintRoomCode(new Uint8Array([0, 0, 0, 0, value])).slice(-1));
    }
    expect([...lastLetters].join('')).toBe('23456789ABCDEFGHJKLMNPQRSTUVWXYZ');
  });

  test('are found again however they are typed', () => {
    const noise = fc.stringMatching(/^[ \-_.·]{0,3}$/);
    fc.assert(
      fc.property(fc.uint8Array({ minLength: 5, maxLength: 5 }), noise, (random, between) => {
        const code = mintRoomCode(random);
        const typed = [...formatRoomCode(code).toLowerCase()].join(between).slice(0, 32);
        fc.pre(typed.length < 32);
        expect(RoomCode.parse(typed)).toBe(code);
        expect(formatRoomCode(formatRoomCode(code))).toMatch(/^[2-9A-Z]{4}-[2-9A-Z]{4}$/);
      }),
    );
  });

  test('two codes never meet by losing a letter that only looks wrong', () => {
    expect(normalizeRoomCode('ABCD-2QQF0')).not.toBe(normalizeRoomCode('ABCD-2QQF'));
    expect(normalizeRoomCode('ßABCD-2QQF')).toBe('ABCD2QQF');
  });

  test.each([
    ['abc', false],
    ['abcd', true],
    ['a'.repeat(32), true],
    ['a'.repeat(33), false],
  ])('%j is accepted: %s', (value, expected) => {
    expect(accepts(RoomCode, value)).toBe(expected);
  });

  test('are not made of too few random bytes', () => {
    expect(() => mintRoomCode(new Uint8Array(4))).toThrow(RangeError);
  });
});

describe('handles', () => {
  test.each([
    ['al', false],
    ['ali', true],
    ['a'.repeat(24), true],
    ['a'.repeat(25), false],
    ['9lives', false],
    ['_x_', false],
    ['al_9', true],
    ['Alice', false],
    ['al-ice', false],
    ['alice\n', false],
  ])('%j may be claimed: %s', (value, expected) => {
    expect(accepts(Handle, value)).toBe(expected);
  });

  test.each(
    `admin root system support api auth login settings security official tandry everyone here all
    owner moderator website hub`.split(/\s+/),
  )('%s is reserved', (word) => {
    expect(accepts(Handle, word)).toBe(false);
  });
});

describe('member names', () => {
  test('free text becomes a valid name or none', () => {
    fc.assert(
      fc.property(fc.oneof(anyText, fc.string({ minLength: 35 })), (freeText) => {
        const slug = slugMemberName(freeText);
        if (slug === undefined) expect(freeText).not.toMatch(/[a-z0-9]/);
        else expect(accepts(MemberName, slug)).toBe(true);
      }),
      { numRuns: 1_000 },
    );
  });

  test('a valid name is its own slug', () => {
    fc.assert(
      fc.property(memberName, (name) => {
        expect(slugMemberName(name)).toBe(name);
      }),
    );
  });

  test.each([
    ['Hub refactor', 'hub-refactor'],
    ['  --Réfactor  the Hub!-- ', 'refactor-the-hub'],
    [`${'a'.repeat(39)} b`, 'a'.repeat(39)],
    ['a'.repeat(60), 'a'.repeat(40)],
    ['修正', undefined],
    ['---', undefined],
    ['', undefined],
  ])('%j becomes %j', (freeText, slug) => {
    expect(slugMemberName(freeText)).toBe(slug);
  });

  test.each(['', '-a', 'a-', 'A', 'a_b', 'a b', 'a'.repeat(41)])('%j is no name', (value) => {
    expect(accepts(MemberName, value)).toBe(false);
  });
});

describe('addresses', () => {
  test('read back what was written', () => {
    fc.assert(
      fc.property(handle, memberName, (handle, name) => {
        const address = formatAddress({ handle, name });
        expect(accepts(Address, address)).toBe(true);
        expect(parseAddress(address)).toEqual({ handle, name });
        expect(resolveReference(name, handle)).toBe(address);
        expect(resolveReference(address, 'somebody_else')).toBe(address);
        expect(accepts(MemberReference, name)).toBe(true);
        expect(accepts(MemberReference, address)).toBe(true);
      }),
    );
  });

  test.each(['', 'alice', 'alice/', '/review', 'alice/a/b', 'Alice/review', '@room'])(
    '%j is no address',
    (value) => {
      expect(parseAddress(value)).toBeUndefined();
    },
  );

  test('a handle that became reserved later still has its addresses', () => {
    expect(accepts(Address, 'support/review')).toBe(true);
  });
});

test.each([
  ['', false],
  ['a', true],
  ['!~', true],
  ['a b', false],
  ['é', false],
  ['a\n', false],
  ['a'.repeat(200), true],
  ['a'.repeat(201), false],
])('%j is a conversation ID: %s', (value, expected) => {
  expect(accepts(ConversationId, value)).toBe(expected);
});
