import { describe, expect, test } from 'vitest';
import { parseTemplate } from './load.ts';
import { Resolver } from './resolve.ts';

const account = '000000000000';
const region = 'eu-central-1';

const template = parseTemplate({
  Parameters: { Stage: { Type: 'String', Default: 'dev' } },
  Mappings: { Sizes: { dev: { memory: 128 } } },
  Conditions: {
    IsDev: { 'Fn::Equals': [{ Ref: 'Stage' }, 'dev'] },
    IsProd: { 'Fn::Not': [{ Condition: 'IsDev' }] },
    IsEither: { 'Fn::Or': [{ Condition: 'IsDev' }, { Condition: 'IsProd' }] },
  },
  Resources: {
    Fn: { Type: 'AWS::Lambda::Function', Properties: { FunctionName: { Ref: 'Stage' } } },
    Table: { Type: 'AWS::DynamoDB::GlobalTable' },
    Queue: { Type: 'AWS::SQS::Queue', Properties: { QueueName: { 'Fn::Sub': `\${Stage}-jobs` } } },
    Pool: { Type: 'AWS::Cognito::UserPool' },
    Rare: { Type: 'AWS::SQS::Queue', Condition: 'IsProd' },
    Other: { Type: 'AWS::SQS::Queue', Properties: { Delay: { Ref: 'AWS::NoValue' } } },
  },
});
const value = (expression: unknown) => new Resolver(template).value(expression);

describe('an expression', () => {
  test.each([
    ['a plain value', { a: [1, 'x', null] }, { a: [1, 'x', null] }],
    ['a pseudo parameter', { Ref: 'AWS::Region' }, region],
    ['a parameter', { Ref: 'Stage' }, 'dev'],
    ['a function', { Ref: 'Fn' }, 'dev'],
    [
      'its ARN',
      { 'Fn::GetAtt': ['Fn', 'Arn'] },
      `arn:aws:lambda:${region}:${account}:function:dev`,
    ],
    ['a table', { Ref: 'Table' }, 'Table'],
    [
      'its stream',
      { 'Fn::GetAtt': ['Table', 'StreamArn'] },
      `arn:aws:dynamodb:${region}:${account}:table/Table/stream/2026-01-01T00:00:00.000`,
    ],
    ['a queue', { Ref: 'Queue' }, `https://sqs.${region}.amazonaws.com/${account}/dev-jobs`],
    ['its ARN', { 'Fn::GetAtt': 'Queue.Arn' }, `arn:aws:sqs:${region}:${account}:dev-jobs`],
    ['a join', { 'Fn::Join': ['-', ['a', { Ref: 'Stage' }]] }, 'a-dev'],
    ['a choice', { 'Fn::Select': [1, { 'Fn::Split': ['.', 'a.b.c'] }] }, 'b'],
    ['a condition', { 'Fn::If': ['IsDev', 'yes', 'no'] }, 'yes'],
    ['its opposite', { 'Fn::If': ['IsProd', 'yes', 'no'] }, 'no'],
    ['a disjunction', { 'Fn::If': ['IsEither', 'yes', 'no'] }, 'yes'],
    ['a look-up', { 'Fn::FindInMap': ['Sizes', { Ref: 'Stage' }, 'memory'] }, 128],
    [
      'a text with variables',
      { 'Fn::Sub': [`\${Fn.Arn} \${x} \${!literal}`, { x: { Ref: 'Stage' } }] },
      `arn:aws:lambda:${region}:${account}:function:dev dev \${literal}`,
    ],
    ['no value', { a: { Ref: 'AWS::NoValue' }, b: [{ Ref: 'AWS::NoValue' }, 1] }, { b: [1] }],
  ])('%s', (_, expression, expected) => {
    expect(value(expression)).toEqual(expected);
  });

  test('that is not known is an error that names it', () => {
    expect(() => value({ 'Fn::ImportValue': 'x' })).toThrow('Fn::ImportValue');
    expect(() => value({ Ref: 'Nobody' })).toThrow('Nobody');
  });
});

test('the address of a user pool leads to its issuer', () => {
  const url = value({ 'Fn::GetAtt': ['Pool', 'ProviderURL'] });
  expect(url).toBe(`https://cognito-idp.${region}.amazonaws.com/${value({ Ref: 'Pool' })}`);
});

test('resources whose condition does not hold are left out', () => {
  const resources = new Resolver(template).resources();
  expect([...resources.keys()]).toEqual(['Fn', 'Table', 'Queue', 'Pool', 'Other']);
  expect(resources.get('Queue')?.properties).toEqual({ QueueName: 'dev-jobs' });
  expect(resources.get('Other')?.properties).toEqual({});
});
