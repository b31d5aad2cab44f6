// Reads a run file without the schema library, which would take a hook longer to load than all the
// rest of it (protocol, section 5: hooks run at every tool call).
import type { Run } from '../../records.ts';

type Shape = { readonly [Field in keyof Run]: (value: unknown) => value is Run[Field] };

const isText = (value: unknown) => typeof value === 'string';
const isFlag = (value: unknown) => typeof value === 'boolean';
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

const shape: Shape = {
  unread: isCount,
  upTo: isCount,
  key: isText,
  notice: isText,
  atTurnEnd: isFlag,
  wakes: isCount,
};

/** Undefined if the text is no run file. */
export function parseRun(text: string): Run | undefined {
  try {
    const record: unknown = JSON.parse(text);
    return isRun(record) ? record : undefined;
  } catch {
    return undefined;
  }
}

function isRun(record: unknown): record is Run {
  if (typeof record !== 'object' || record === null) return false;
  const fields = new Map<string, unknown>(Object.entries(record));
  return Object.entries(shape).every(([field, isValid]) => isValid(fields.get(field)));
}
