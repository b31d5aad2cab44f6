// The evaluator against IAM's rules, by example and by property.
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isAllowed, type Statement } from './evaluate.ts';

const table = 'arn:aws:dynamodb:eu-central-1:123456789012:table/hub';
const put = { action: 'dynamodb:PutItem', resource: table };

function allow(statement: Partial<Statement> = {}): Statement {
  return { Effect: 'Allow', Action: 'dynamodb:PutItem', Resource: table, ...statement };
}
function withCondition(Condition: NonNullable<Statement['Condition']>): Statement[] {
  return [allow({ Condition })];
}
function putKeys(...keys: string[]) {
  return { ...put, context: { 'dynamodb:LeadingKeys': keys } };
}

test('nothing is allowed without a statement', () => {
  expect(isAllowed([], put)).toBe(false);
});

test.each<[string, Statement, boolean]>([
  ['the action itself', allow(), true],
  ['one of several actions', allow({ Action: ['dynamodb:GetItem', 'dynamodb:PutItem'] }), true],
  ['another action', allow({ Action: 'dynamodb:GetItem' }), false],
  ['an action in another case', allow({ Action: 'DynamoDB:putitem' }), true],
  ['a wildcard action', allow({ Action: 'dynamodb:Put*' }), true],
  ['? is one character', allow({ Action: 'dynamodb:PutIte?' }), true],
  ['? is not none', allow({ Action: 'dynamodb:PutItem?' }), false],
  ['another table', allow({ Resource: `${table}2` }), false],
  ['a resource in another case', allow({ Resource: table.toUpperCase() }), false],
  ['any resource', allow({ Resource: '*' }), true],
  ['its indexes only', allow({ Resource: `${table}/index/*` }), false],
  ['a dot is a dot', allow({ Resource: table.replace('hub', 'h.b') }), false],
  ['NotAction of another', { Effect: 'Allow', NotAction: 'dynamodb:Scan', Resource: '*' }, true],
  ['NotAction of it', { Effect: 'Allow', NotAction: 'dynamodb:Put*', Resource: '*' }, false],
  ['NotResource of it', { Effect: 'Allow', Action: '*', NotResource: table }, false],
  ['no resource at all', { Effect: 'Allow', Action: '*' }, false],
])('a statement with %s', (_, statement, expected) => {
  expect(isAllowed([statement], put)).toBe(expected);
});

test('a Deny wins over any Allow, wherever it stands', () => {
  const deny = { Effect: 'Deny', Action: 'dynamodb:*', Resource: '*' };
  expect(isAllowed([deny, allow()], put)).toBe(false);
  expect(isAllowed([allow(), deny], put)).toBe(false);
});

test('leading keys: all of them must match, and none is like all', () => {
  const statements = withCondition({
    'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['ROOM#*', 'MESSAGE#*'] },
  });
  expect(isAllowed(statements, putKeys('ROOM#1', 'MESSAGE#2'))).toBe(true);
  expect(isAllowed(statements, putKeys('ROOM#1', 'ACCOUNT#2'))).toBe(false);
  expect(isAllowed(statements, putKeys())).toBe(true);
  expect(isAllowed(statements, put)).toBe(true);
});

test('ForAnyValue needs one', () => {
  const statements = withCondition({
    'ForAnyValue:StringEquals': { 'dynamodb:leadingkeys': 'a' },
  });
  expect(isAllowed(statements, putKeys('b', 'a'))).toBe(true);
  expect(isAllowed(statements, putKeys('b'))).toBe(false);
  expect(isAllowed(statements, put)).toBe(false);
});

test.each<[NonNullable<Statement['Condition']>, Record<string, string>, boolean]>([
  [{ StringEquals: { k: ['a', 'b'] } }, { k: 'b' }, true],
  [{ StringEquals: { k: 'a*' } }, { k: 'ab' }, false],
  [{ StringEquals: { k: 'a' } }, {}, false],
  [{ StringEqualsIfExists: { k: 'a' } }, {}, true],
  [{ StringNotEquals: { k: 'a' } }, { k: 'a' }, false],
  [{ StringNotEquals: { k: 'a' } }, {}, true],
  [{ StringEquals: { k: 'a', l: 'b' } }, { k: 'a' }, false],
  [{ ArnLike: { k: 'arn:aws:sns:*:1:topic' } }, { k: 'arn:aws:sns:eu:1:topic' }, true],
  [{ ArnLike: { k: 'arn:*:topic' } }, { k: 'arn:aws:sns:eu:1:topic' }, false],
  [{ ArnEquals: { k: 'arn:aws:s3:::b/*' } }, { k: 'arn:aws:s3:::b/x:y' }, true],
  [{ Bool: { k: true } }, { k: 'true' }, true],
  [{ Bool: { k: 'false' } }, { k: 'true' }, false],
  [{ Null: { k: 'true' } }, {}, true],
  [{ Null: { k: 'true' } }, { k: 'x' }, false],
])('the condition %j in the context %j', (condition, context, expected) => {
  expect(isAllowed(withCondition(condition), { ...put, context })).toBe(expected);
});

test('an unknown operator is an error, never a silent yes or no', () => {
  const statements = withCondition({ DateLessThan: { k: '2030-01-01' } });
  expect(() => isAllowed(statements, { ...put, context: { k: 'x' } })).toThrow('DateLessThan');
});

const action = fc.constantFrom('dynamodb:GetItem', 'dynamodb:PutItem', 'sqs:SendMessage');
const resource = fc.constantFrom(table, `${table}/index/a`, 'arn:aws:sqs:eu:1:q');
const pattern = (values: fc.Arbitrary<string>) =>
  fc.tuple(values, fc.nat(40), fc.constantFrom('*', '?', '')).map(([text, at, wildcard]) => {
    const kept = text.slice(0, at);
    return wildcard === '?' ? `${kept}?${text.slice(at + 1)}` : kept + wildcard;
  });
const statement = fc.record({
  Effect: fc.constantFrom('Allow', 'Deny'),
  Action: fc.array(pattern(action), { minLength: 1, maxLength: 3 }),
  Resource: fc.array(pattern(resource), { minLength: 1, maxLength: 3 }),
});
const request = fc.record({ action, resource });

test('a further Deny never allows more, a further Allow never less', () => {
  fc.assert(
    fc.property(fc.array(statement), statement, request, (statements, added, asked) => {
      const [before, after] = [statements, [...statements, added]].map((all) =>
        isAllowed(all, asked),
      );
      expect(added.Effect === 'Deny' ? !after || before : after || !before).toBe(true);
    }),
  );
});

test('the order of statements does not count', () => {
  fc.assert(
    fc.property(fc.array(statement), request, (statements, asked) => {
      expect(isAllowed(statements.toReversed(), asked)).toBe(isAllowed(statements, asked));
    }),
  );
});

test('an exact statement allows exactly its request', () => {
  fc.assert(
    fc.property(request, request, (granted, asked) => {
      const statements = [{ Effect: 'Allow', Action: granted.action, Resource: granted.resource }];
      const isSame = granted.action === asked.action && granted.resource === asked.resource;
      expect(isAllowed(statements, asked)).toBe(isSame);
    }),
  );
});

test('a text always matches itself with any run of it starred out', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.nat(), fc.nat(), (text, a, b) => {
      // By whole characters: half a surrogate pair is no character.
      const characters = [...text.replaceAll(/[*?]/g, '')];
      const [from = 0, to = 0] = [a, b]
        .map((at) => at % (characters.length + 1))
        .sort((x, y) => x - y);
      const starred = [...characters.slice(0, from), '*', ...characters.slice(to)].join('');
      const asked = { action: 'a:b', resource: characters.join('') };
      expect(isAllowed([{ Effect: 'Allow', Action: '*', Resource: starred }], asked)).toBe(true);
    }),
  );
});
