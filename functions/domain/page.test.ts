// Where a batch or a page is cut: by messages, bodies, recipients; never before the first.
import { describe, expect, it } from 'vitest';
import { limits } from '../../protocol/limits.ts';
import { type PageLimit, pageGauge, protocolPages } from './page.ts';

const roomy: PageLimit = { messages: 100, bodyBytes: 100, recipients: 100 };
const entry = { bytes: 1, to: [7], toRoom: false };
const toMany = (count: number) => ({ ...entry, to: Array.from({ length: count }, () => 1) });

/** How many of the entries come before the first that does not fit. */
function shown(
  limit: Partial<PageLimit>,
  entries: readonly Parameters<ReturnType<typeof pageGauge>>[0][],
  presentCount = 10,
): number {
  const fits = pageGauge({ ...roomy, ...limit }, presentCount);
  const end = entries.findIndex((one) => !fits(one));
  return end < 0 ? entries.length : end;
}

describe('a page ends', () => {
  it.each<[string, number, Partial<PageLimit>, Parameters<typeof shown>[1]]>([
    ['with its last message', 3, { messages: 3 }, [entry, entry, entry, entry]],
    ['before bodies go over', 2, { bodyBytes: 2 }, [entry, entry, entry]],
    ['before recipients go over', 1, { recipients: 5 }, [toMany(3), toMany(3)]],
    ['by the room for a message to the room', 1, { recipients: 19 }, [broadcast(), broadcast()]],
    ['nowhere, if everything fits exactly', 2, { recipients: 20 }, [broadcast(), broadcast()]],
    ['after the first, whatever that takes', 1, { bodyBytes: 2 }, [{ ...entry, bytes: 9 }, entry]],
  ])('%s', (_, count, limit, entries) => {
    expect(shown(limit, entries)).toBe(count);
  });
});

it('of the protocol is 20 or 30 messages and 64 KiB, whoever they name', () => {
  const { inbox, history, join } = protocolPages;
  expect([inbox.messages, history.messages, join.messages]).toEqual([20, 30, 30]);
  expect([inbox.bodyBytes, history.bodyBytes, join.bodyBytes]).toEqual([65536, 65536, 65536]);
  const many = Array.from({ length: limits.inboxBatchMessages }, () => toMany(50));
  const fits = pageGauge(inbox, 500);
  expect(many.every((one) => fits(one))).toBe(true);
});

function broadcast() {
  return { ...entry, to: [], toRoom: true };
}
