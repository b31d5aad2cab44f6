// Filter patterns of an event source mapping: which stream records invoke the function at all.
import { StartError } from '../start-error.ts';

type Matcher = (value: unknown) => boolean;
/** Says whether a record passes. */
export type RecordFilter = (record: object) => boolean;

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown) => typeof value === 'string';

function refuse(part: unknown): never {
  throw new StartError(`The filter pattern has ${JSON.stringify(part)}, which is not known here`);
}

const operators: Readonly<Record<string, (argument: unknown) => Matcher>> = {
  prefix: (start) => (value) => isText(value) && String(value).startsWith(String(start)),
  suffix: (end) => (value) => isText(value) && String(value).endsWith(String(end)),
  'equals-ignore-case': (text) => (value) =>
    isText(value) && String(value).toLowerCase() === String(text).toLowerCase(),
  exists: (expected) => (value) => (value !== undefined) === expected,
  'anything-but': (excluded) => {
    const matchers = [excluded].flat().map(alternative);
    return (value) => value !== undefined && !matchers.some((matches) => matches(value));
  },
};

/** One entry of a leaf's list: a literal, or an object with one operator. */
function alternative(rule: unknown): Matcher {
  if (!isObject(rule)) return (value) => value === rule;
  const [[name = '', argument] = [], ...more] = Object.entries(rule);
  const operator = Object.hasOwn(operators, name) ? operators[name] : undefined;
  return operator && more.length === 0 ? operator(argument) : refuse(rule);
}

/** A leaf is a list of which one entry must match; an object's fields must all match. */
function field(pattern: unknown): Matcher {
  if (isObject(pattern)) return fields(pattern);
  if (!Array.isArray(pattern) || pattern.length === 0) return refuse(pattern);
  const matchers = pattern.map(alternative);
  return (value) => matchers.some((matches) => matches(value));
}

function fields(pattern: Record<string, unknown>): Matcher {
  const matchers = Object.entries(pattern).map(([name, part]): Matcher => {
    if (name === '$or') {
      const branches = Array.isArray(part) ? part.map(field) : [refuse(part)];
      return (value) => branches.some((matches) => matches(value));
    }
    const matches = field(part);
    return (value) => matches(isObject(value) ? value[name] : undefined);
  });
  return (value) => matchers.every((matches) => matches(value));
}

/**
 * Compiles the patterns (JSON) of a mapping: a record passes when one of them matches, or when
 * there is none. Throws a `StartError` on an operator that is not known here.
 */
export function compileFilters(patterns: readonly string[]): RecordFilter {
  const matchers = patterns.map((pattern) => field(JSON.parse(pattern)));
  return (record) => matchers.length === 0 || matchers.some((matches) => matches(record));
}
