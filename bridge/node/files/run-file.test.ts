// What hooks read without the schema library is what the schema says.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Run } from '../../records.ts';
import { parseRun } from './run-file.ts';

const run: Run = { unread: 1, upTo: 7, key: '7:3', notice: 'x', atTurnEnd: false, wakes: 0 };

test('a run file is read as it was written', () => {
  expect(parseRun(`${JSON.stringify(run)}\n`)).toEqual(run);
});

test.each(['', '{', 'null', '[]', '"text"', '7'])('%s is none', (text) => {
  expect(parseRun(text)).toBeUndefined();
});

test('it agrees with the schema whatever stands in a field', () => {
  const field = fc.constantFrom(...Object.keys(run));
  const value = fc.oneof(fc.jsonValue(), fc.constantFrom(0, 1, -1, 1.5, '', true, 2 ** 60));
  fc.assert(
    fc.property(field, value, (name, content) => {
      const record = JSON.parse(JSON.stringify({ ...run, [name]: content }));
      const isValid = Run.safeParse(record).success;
      expect(parseRun(JSON.stringify(record)) !== undefined).toBe(isValid);
    }),
  );
  for (const name of Object.keys(run)) {
    const { [name as keyof Run]: _, ...rest } = run;
    expect(parseRun(JSON.stringify(rest))).toBeUndefined();
  }
});
