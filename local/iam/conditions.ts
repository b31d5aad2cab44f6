// The condition operators of IAM policies that grants of this stack use.
import { matchesArn, matchesWildcard } from './wildcard.ts';

/** Operator → context key → values: `{ StringEquals: { 'aws:SourceAccount': ['1'] } }`. */
export type Conditions = Record<string, Record<string, ConditionValue>>;
type ConditionValue = string | boolean | number | readonly (string | boolean | number)[];

/** What is known about a request, by context key. */
export type RequestContext = Record<string, string | readonly string[]>;

interface Operator {
  test: (expected: string, actual: string) => boolean;
  /** A `Not…` operator: no expected value may match, and a missing key passes. */
  isNegated?: true;
}

const equals = (expected: string, actual: string) => expected === actual;
const equalsIgnoringCase = (expected: string, actual: string) =>
  expected.toLowerCase() === actual.toLowerCase();

const operators: Record<string, Operator> = {
  StringEquals: { test: equals },
  StringNotEquals: { test: equals, isNegated: true },
  StringEqualsIgnoreCase: { test: equalsIgnoringCase },
  StringLike: { test: matchesWildcard },
  StringNotLike: { test: matchesWildcard, isNegated: true },
  ArnEquals: { test: matchesArn },
  ArnLike: { test: matchesArn },
  ArnNotEquals: { test: matchesArn, isNegated: true },
  ArnNotLike: { test: matchesArn, isNegated: true },
  Bool: { test: equalsIgnoringCase },
};

/** Whether every condition holds. Throws on an operator that is not known here. */
export function conditionsHold(conditions: Conditions, context: RequestContext): boolean {
  return Object.entries(conditions).every(([operator, keys]) =>
    Object.entries(keys).every(([key, value]) =>
      holds(operator, listed(value), find(context, key)),
    ),
  );
}

function holds(name: string, expected: string[], actual: string[] | undefined): boolean {
  const [, quantifier, base = '', ifExists] =
    /^(?:(ForAllValues|ForAnyValue):)?(.*?)(IfExists)?$/.exec(name) ?? [];
  if (base === 'Null') return expected.includes(String(actual === undefined));
  const operator = operators[base];
  if (operator === undefined) throw new Error(`The policy condition ${name} is not known here.`);
  const { test, isNegated = false } = operator;
  if (actual === undefined) {
    return isNegated || ifExists !== undefined || quantifier === 'ForAllValues';
  }
  const matches = (value: string) => expected.some((one) => test(one, value)) !== isNegated;
  return quantifier === 'ForAnyValue' ? actual.some(matches) : actual.every(matches);
}

function find(context: RequestContext, key: string): string[] | undefined {
  const wanted = key.toLowerCase();
  const found = Object.entries(context).find(([name]) => name.toLowerCase() === wanted);
  return found === undefined ? undefined : listed(found[1]);
}

function listed(value: ConditionValue): string[] {
  return typeof value === 'object' ? value.map(String) : [String(value)];
}
