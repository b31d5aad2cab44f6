import { describe, expect, test } from 'vitest';
import { functionResource } from '../fixtures/resources.ts';
import { parseTemplate } from './load.ts';
import { ignoredTypes, refuseUnknownTypes, runTypes } from './resource-types.ts';

const check = (resources: object) => refuseUnknownTypes(parseTemplate({ Resources: resources }));
const withVariable = (value: unknown) =>
  functionResource('echo', { Environment: { Variables: { IT: value } } });
const bus = { Type: 'AWS::Events::EventBus' };

describe('a type the runner does not know', () => {
  test.each([
    ['Ref', { Ref: 'Bus' }],
    ['GetAtt', { 'Fn::GetAtt': ['Bus', 'Arn'] }],
    ['a nested expression', { 'Fn::Join': ['', ['x', { 'Fn::GetAtt': 'Bus.Arn' }]] }],
    ['Sub', { 'Fn::Sub': `x\${Bus.Arn}` }],
  ])('is refused when a function depends on it by %s', (_, expression) => {
    expect(() => check({ Fn: withVariable(expression), Bus: bus })).toThrow(
      "The template's Bus is a AWS::Events::EventBus, which does not run here, and Fn depends on it",
    );
  });

  test('is refused when it refers to a function, which it may invoke', () => {
    const Targets = [{ Arn: { 'Fn::GetAtt': ['Fn', 'Arn'] } }];
    const Rule = { Type: 'AWS::Events::Rule', Properties: { Targets } };
    expect(() => check({ Fn: functionResource('echo'), Rule })).toThrow(
      "The template's Rule is a AWS::Events::Rule, which does not run here",
    );
  });

  test('is let through when nothing that runs here has to do with it', () => {
    expect(() => check({ Fn: functionResource('echo'), Bus: bus })).not.toThrow();
  });
});

test('an ignored type may be referred to, and has its reason', () => {
  const Fn = functionResource('echo', { LoggingConfig: { LogGroup: { Ref: 'Logs' } } });
  expect(() => check({ Fn, Logs: { Type: 'AWS::Logs::LogGroup' } })).not.toThrow();
  expect(Object.entries(ignoredTypes).filter(([, reason]) => reason.length < 10)).toEqual([]);
  expect(Object.keys(ignoredTypes).filter((type) => runTypes.has(type))).toEqual([]);
});
