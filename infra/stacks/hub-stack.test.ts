// The Hub as a whole: how every function is set up, what it is told, and what becomes of the stack.
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { HttpEnv, PurgeEnv } from '../../functions/env.ts';
import { hubTemplate, prodContext, unbundledApp } from '../testing/hub-template.ts';

function environmentOf(logicalId: RegExp, context = {}): Record<string, unknown> {
  const functions = Object.entries(hubTemplate(context).findResources('AWS::Lambda::Function'));
  const found = functions.find(([id]) => logicalId.test(id));
  return found?.[1]['Properties']['Environment']['Variables'];
}

/** The names without which a function does not start. */
function required(schema: z.ZodType): unknown[] {
  return schema.safeParse({}).error?.issues.map(({ path }) => path[0]) ?? [];
}

describe('the environment', () => {
  it('of http is the table and where website tokens come from', () => {
    const pool = { 'Fn::GetAtt': [expect.stringMatching(/^AccountsPeople/), 'ProviderURL'] };
    const environment = environmentOf(/^Http/);
    expect(environment).toEqual({
      TABLE_NAME: { Ref: expect.stringMatching(/^Table/) },
      COGNITO_ISSUER: pool,
      COGNITO_JWKS_URI: { 'Fn::Join': ['', [pool, '/.well-known/jwks.json']] },
      COGNITO_WEBSITE_CLIENT_ID: { Ref: expect.stringMatching(/^AccountsPeopleWebsite/) },
    });
    expect(Object.keys(environment).sort()).toEqual(required(HttpEnv).sort());
  });

  it('of http has the limits that the operator set', () => {
    expect(environmentOf(/^Http/, { 'tandry:RETENTION_DAYS': 7 })).toMatchObject({
      RETENTION_DAYS: '7',
    });
  });

  it('of purge is the table and its own queue', () => {
    const environment = environmentOf(/^PurgeFunction/);
    expect(environment).toEqual({
      TABLE_NAME: { Ref: expect.stringMatching(/^Table/) },
      PURGE_QUEUE_URL: { Ref: expect.stringMatching(/^PurgeQueue/) },
    });
    expect(Object.keys(environment).sort()).toEqual(required(PurgeEnv).sort());
  });
});

describe('every function', () => {
  const template = hubTemplate();
  const functions = Object.values(template.findResources('AWS::Lambda::Function'));

  it('runs on Node 24, on ARM, with JSON logs in a log group of its own', () => {
    expect(functions).toHaveLength(2);
    const groups = functions.map(({ Properties }) => {
      expect(Properties).toMatchObject({
        Runtime: 'nodejs24.x',
        Architectures: ['arm64'],
        Handler: 'index.handler',
        LoggingConfig: { LogFormat: 'JSON' },
      });
      return Properties['LoggingConfig']['LogGroup']['Ref'];
    });
    expect(new Set(groups)).toHaveProperty('size', functions.length);
  });

  it.each([
    ['dev', {}, 7],
    ['prod', prodContext, 90],
  ])('keeps logs for a limited time in %s', (_, context, days) => {
    const logs = hubTemplate(context);
    logs.resourceCountIs('AWS::Logs::LogGroup', functions.length + 1);
    logs.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: days });
  });
});

describe('the stack', () => {
  it.each([
    ['TandryHub-dev', {}, false],
    ['TandryHub-prod', prodContext, true],
  ])('%s is named after its stage', (name, context, protectedNow) => {
    const { hub } = unbundledApp(context);
    expect(hub.stackName).toBe(name);
    expect(hub.terminationProtection).toBe(protectedNow);
  });

  it('says where it is', () => {
    const outputs = Object.keys(hubTemplate().toJSON()['Outputs']);
    expect(outputs.sort()).toEqual(['ApiUrl', 'TableName', 'UserPoolId', 'WebsiteClientId']);
  });

  it('refuses to be built from a setting that does not exist', () => {
    expect(() => unbundledApp({ 'tandry:stag': 'prod' })).toThrow('stag');
  });

  it('changes in nothing that nobody meant to change', () => {
    const template = JSON.stringify(hubTemplate().toJSON(), null, 1);
    expect(JSON.parse(template.replaceAll(/[0-9a-f]{64}/g, '<asset>'))).toMatchSnapshot();
  });
});
