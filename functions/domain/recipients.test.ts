import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isAddressedTo, recipientState, recipientsOf, tookPart, wasPresent } from './recipients.ts';

const member = (no: number, leftTick?: number) => ({ no, leftTick });
const toRoom = { seq: 10, from: 1, to: [], toRoom: true };

describe('recipients', () => {
  it('of @room are who joined before it and had not left, without the sender', () => {
    const everyone = [member(1), member(2), member(3, 9), member(4, 11), member(10), member(12)];
    expect(recipientsOf(toRoom, everyone)).toEqual([2, 4]);
  });

  it('by name are the names, present or not', () => {
    expect(recipientsOf({ seq: 10, from: 1, to: [3, 2], toRoom: false }, [member(2, 5)])).toEqual([
      3, 2,
    ]);
  });

  it('to nobody are nobody', () => {
    expect(recipientsOf({ seq: 10, from: 1, to: [], toRoom: false }, [member(2)])).toEqual([]);
  });

  it('are the same whether asked one by one or together, for everybody present', () => {
    const ticks = fc.integer({ min: 1, max: 20 });
    const roster = fc.uniqueArray(ticks, { maxLength: 12 });
    fc.assert(
      fc.property(roster, ticks, ticks, (numbers, seq, from) => {
        const message = { seq, from, to: [], toRoom: true };
        const present = numbers.map((no) => member(no));
        const together = recipientsOf(message, present);
        expect(numbers.filter((no) => isAddressedTo(message, no))).toEqual(together);
      }),
    );
  });
});

describe('wasPresent', () => {
  it('is true strictly between joining and leaving', () => {
    expect([4, 5, 6, 8, 9, 10].map((seq) => wasPresent(member(5, 9), seq))).toEqual([
      false,
      false,
      true,
      true,
      false,
      false,
    ]);
  });
});

describe('tookPart', () => {
  it('is true for the sender and the recipients of a dm', () => {
    const dm = { from: 1, to: [2, 3] };
    expect([1, 2, 3, 4].map((no) => tookPart(dm, no))).toEqual([true, true, true, false]);
  });
});

describe('recipientState', () => {
  const seq = 7;
  it.each([
    ['replied', { hasReplied: true, readSeq: 0, hasLeft: true }],
    ['read', { hasReplied: false, readSeq: 7, hasLeft: true }],
    ['left', { hasReplied: false, readSeq: 6, hasLeft: true }],
    ['unread', { hasReplied: false, readSeq: 6, hasLeft: false }],
  ])('is %s by precedence', (state, recipient) => {
    expect(recipientState({ seq, ...recipient })).toBe(state);
  });
});
