// Condition and update expressions of the kind this store writes, evaluated on items in memory.
// What is not understood throws: the model never guesses.
import { ValidationException } from './failures.ts';

/** An item as the document client shows it: native numbers, strings, sets, bytes. */
export type Item = Readonly<Record<string, unknown>>;

/** Expressions of one request, with what their placeholders stand for. */
export interface Placeholders {
  readonly names?: Readonly<Record<string, string>> | undefined;
  readonly values?: Readonly<Record<string, unknown>> | undefined;
}

type Test = (item: Item, placeholders: Placeholders) => boolean;
type Operand = (item: Item, placeholders: Placeholders) => unknown;

const tokenPattern = /\s*(?:([#:]?\w+)|(<=|>=|<>|[=<>(),]))/y;

function tokensOf(expression: string): string[] {
  const tokens: string[] = [];
  tokenPattern.lastIndex = 0;
  while (tokenPattern.lastIndex < expression.trimEnd().length) {
    const match = tokenPattern.exec(expression);
    if (match === null) throw new ValidationException(`not understood: ${expression}`);
    tokens.push(match[1] ?? match[2] ?? '');
  }
  return tokens;
}

const comparisons: Readonly<Record<string, (left: unknown, right: unknown) => boolean>> = {
  '=': isSame,
  '<>': (left, right) => !isSame(left, right),
  '<': (left, right) => order(left, right, (sign) => sign < 0),
  '<=': (left, right) => order(left, right, (sign) => sign <= 0),
  '>': (left, right) => order(left, right, (sign) => sign > 0),
  '>=': (left, right) => order(left, right, (sign) => sign >= 0),
};

function isSame(left: unknown, right: unknown): boolean {
  if (!(left instanceof Set && right instanceof Set)) return left === right;
  return left.size === right.size && [...left].every((element) => right.has(element));
}

/** Values of two types, and values that are not there, are in no order. */
function order(left: unknown, right: unknown, holds: (sign: number) => boolean): boolean {
  if (typeof left === 'number' && typeof right === 'number') return holds(left - right);
  if (typeof left !== 'string' || typeof right !== 'string') return false;
  return holds(left === right ? 0 : left < right ? -1 : 1);
}

function attributeOf(token: string, { names }: Placeholders): string {
  const name = token.startsWith('#') ? names?.[token] : token;
  if (name === undefined) throw new ValidationException(`no name for ${token}`);
  return name;
}

function operandValue(token: string, { values }: Placeholders): unknown {
  if (values === undefined || !(token in values)) {
    throw new ValidationException(`no value for ${token}`);
  }
  return values[token];
}

function operand(token: string): Operand {
  if (token.startsWith(':')) return (_item, placeholders) => operandValue(token, placeholders);
  return (item, placeholders) => item[attributeOf(token, placeholders)];
}

/** Recursive descent: OR binds weakest, then AND, then NOT. */
function parseCondition(expression: string): Test {
  const tokens = tokensOf(expression);
  let at = 0;
  const next = () => tokens[at++] ?? '';
  const isNext = (word: string) => tokens[at]?.toUpperCase() === word;
  function expect(token: string): void {
    if (next() !== token) throw new ValidationException(`expected ${token}: ${expression}`);
  }
  function either(): Test {
    const tests = [both()];
    while (isNext('OR')) {
      at += 1;
      tests.push(both());
    }
    return (item, placeholders) => tests.some((test) => test(item, placeholders));
  }
  function both(): Test {
    const tests = [single()];
    while (isNext('AND')) {
      at += 1;
      tests.push(single());
    }
    return (item, placeholders) => tests.every((test) => test(item, placeholders));
  }
  function single(): Test {
    if (isNext('NOT')) {
      at += 1;
      const test = single();
      return (item, placeholders) => !test(item, placeholders);
    }
    const first = next();
    if (first === '(') {
      const test = either();
      expect(')');
      return test;
    }
    if (first === 'attribute_exists' || first === 'attribute_not_exists') return presence(first);
    const [compare, left, right] = [comparisons[next()], operand(first), operand(next())];
    if (compare === undefined) throw new ValidationException(`not understood: ${expression}`);
    return (item, placeholders) => compare(left(item, placeholders), right(item, placeholders));
  }
  function presence(name: string): Test {
    expect('(');
    const attribute = operand(next());
    expect(')');
    const isWanted = name === 'attribute_exists';
    return (item, placeholders) => (attribute(item, placeholders) !== undefined) === isWanted;
  }
  const test = either();
  if (at < tokens.length) throw new ValidationException(`not understood: ${expression}`);
  return test;
}

type Change = (item: Record<string, unknown>, placeholders: Placeholders) => void;

const changes: Readonly<Record<string, (left: string, right: string) => Change>> = {
  SET: (left, right) => (item, placeholders) => {
    item[attributeOf(left, placeholders)] = operandValue(right, placeholders);
  },
  REMOVE: (left) => (item, placeholders) => {
    delete item[attributeOf(left, placeholders)];
  },
  ADD: (left, right) => (item, placeholders) => {
    const attribute = attributeOf(left, placeholders);
    item[attribute] = sum(item[attribute], operandValue(right, placeholders));
  },
  DELETE: (left, right) => (item, placeholders) => {
    const attribute = attributeOf(left, placeholders);
    const rest = difference(item[attribute], operandValue(right, placeholders));
    if (rest === undefined) delete item[attribute];
    else item[attribute] = rest;
  },
};

function sum(before: unknown, added: unknown): unknown {
  if (typeof added === 'number' && (before === undefined || typeof before === 'number')) {
    return (before ?? 0) + added;
  }
  if (added instanceof Set && (before === undefined || before instanceof Set)) {
    return new Set([...(before ?? []), ...added]);
  }
  throw new ValidationException('ADD takes numbers and sets');
}

/** A set that loses its last element is no attribute any more. */
function difference(before: unknown, dropped: unknown): unknown {
  if (!(dropped instanceof Set)) throw new ValidationException('DELETE takes sets');
  if (before === undefined) return undefined;
  if (!(before instanceof Set)) throw new ValidationException('DELETE from what is no set');
  const rest = [...before].filter((element) => !dropped.has(element));
  return rest.length === 0 ? undefined : new Set(rest);
}

function parseUpdate(expression: string): readonly Change[] {
  return expression.split(/\b(?=(?:SET|REMOVE|ADD|DELETE) )/).flatMap((clause) => {
    const [, keyword = '', list = ''] = /^(\w+) (.*)$/s.exec(clause.trim()) ?? [];
    const change = changes[keyword];
    if (change === undefined) throw new ValidationException(`not understood: ${expression}`);
    return list.split(',').map((part) => {
      const [left = '', right = ''] = part.trim().split(keyword === 'SET' ? /\s*=\s*/ : /\s+/);
      return change(left, right);
    });
  });
}

function cached<Parsed>(parse: (expression: string) => Parsed): (expression: string) => Parsed {
  const known = new Map<string, Parsed>();
  return (expression) => {
    const parsed = known.get(expression) ?? parse(expression);
    known.set(expression, parsed);
    return parsed;
  };
}

const conditionOf = cached(parseCondition);
const updateOf = cached(parseUpdate);

/** Whether the condition holds; an absent item has no attributes. */
export function holds(
  expression: string,
  item: Item | undefined,
  placeholders: Placeholders,
): boolean {
  return conditionOf(expression)(item ?? {}, placeholders);
}

/** The item after the update; never changes the one given. */
export function updated(expression: string, item: Item, placeholders: Placeholders): Item {
  const after = { ...item };
  for (const change of updateOf(expression)) change(after, placeholders);
  return after;
}

/** DynamoDB refuses a placeholder that no expression of the request uses. */
export function refuseUnused(
  expressions: readonly (string | undefined)[],
  { names, values }: Placeholders,
): void {
  const used = new Set(expressions.join(' ').match(/[#:]\w+/g));
  const unused = [...Object.keys(names ?? {}), ...Object.keys(values ?? {})].filter(
    (placeholder) => !used.has(placeholder),
  );
  if (unused.length > 0) throw new ValidationException(`unused: ${unused.join(', ')}`);
}
