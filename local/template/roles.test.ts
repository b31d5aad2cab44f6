import { describe, expect, test } from 'vitest';
import { functionResource, type Json, stackOf } from '../fixtures/resources.ts';
import { Resolver } from './resolve.ts';
import { createAuthorize, operatorPrincipal } from './roles.ts';

const table = 'arn:aws:dynamodb:eu-central-1:000000000000:table/Table';
const tableArn = { 'Fn::GetAtt': ['Table', 'Arn'] };
const document = (...Statement: Json[]) => ({ PolicyDocument: { Statement } });
const allow = (action: string, more: Json = {}) => ({
  Effect: 'Allow',
  Action: action,
  Resource: tableArn,
  ...more,
});

function authorizeIn(resources: Json) {
  const { template } = stackOf({
    Table: { Type: 'AWS::DynamoDB::Table' },
    Fn: functionResource('echo'),
    Role: {
      Type: 'AWS::IAM::Role',
      Properties: { Policies: [document(allow('dynamodb:GetItem'))] },
    },
    Policy: {
      Type: 'AWS::IAM::Policy',
      Properties: { Roles: [{ Ref: 'Role' }], ...document(allow('dynamodb:PutItem')) },
    },
    ...resources,
  });
  return createAuthorize(new Resolver(template).resources());
}

describe('a function may do', () => {
  const authorize = authorizeIn({});
  test.each([
    ['what a policy in its role allows', 'Fn', 'dynamodb:GetItem', table, true],
    ['what a policy attached to its role allows', 'Fn', 'dynamodb:PutItem', table, true],
    ['nothing else', 'Fn', 'dynamodb:Scan', table, false],
    ['nothing to another table', 'Fn', 'dynamodb:GetItem', `${table}2`, false],
    ['nothing under another name', 'Other', 'dynamodb:GetItem', table, false],
  ])('%s', (_, principal, action, resource, expected) => {
    expect(authorize(principal, action, resource)).toBe(expected);
  });

  test('less than the operator', () => {
    expect(authorize(operatorPrincipal, 'dynamodb:Scan', table)).toBe(true);
  });

  test('only what its leading keys allow', () => {
    const Condition = { 'ForAllValues:StringLike': { 'dynamodb:LeadingKeys': ['TOKEN#*'] } };
    const limited = authorizeIn({
      Policy: {
        Type: 'AWS::IAM::Policy',
        Properties: {
          Roles: [{ Ref: 'Role' }],
          ...document(allow('dynamodb:Query', { Condition })),
        },
      },
    });
    const query = (leadingKeys: string[]) =>
      limited('Fn', 'dynamodb:Query', table, { leadingKeys });
    expect(query(['TOKEN#1'])).toBe(true);
    expect(query(['TOKEN#1', 'ROOM#1'])).toBe(false);
  });
});

test('a policy that cannot be evaluated is refused', () => {
  const Role = {
    Type: 'AWS::IAM::Role',
    Properties: { ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'] },
  };
  expect(() => authorizeIn({ Role })).toThrow('AdministratorAccess');
  const odd = { Policies: [document({ ...allow('x:Y'), Principal: '*' })] };
  expect(() => authorizeIn({ Role: { Type: 'AWS::IAM::Role', Properties: odd } })).toThrow('Role');
});
