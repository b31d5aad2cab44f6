// The Hub as a whole: how every function is set up, what it is told, and what becomes of the stack.
import { describe, expect, it } from 'vitest';
import type * as z from 'zod';
import { AuthEnv, HttpEnv, LinkEnv, McpEnv, NotifyEnv, PurgeEnv } from '../../functions/env.ts';
import { domainContext, hubTemplate, prodContext, unbundledApp } from '../testing/hub-template.ts';

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
  const table = { Ref: expect.stringMatching(/^Table/) };
  const pool = { 'Fn::GetAtt': [expect.stringMatching(/^AccountsPeople/), 'ProviderURL'] };
  const secret = (logicalId: RegExp) => ({
    'Fn::Join': [
      '',
      [
        '{{resolve:secretsmanager:',
        { Ref: expect.stringMatching(logicalId) },
        ':SecretString:::}}',
      ],
    ],
  });
  const ofFrontDoor = { ORIGIN_SECRET: secret(/^FrontDoorOriginSecret/) };
  const address = {
    HUB_URL: {
      'Fn::Join': [
        '',
        [
          'https://',
          { 'Fn::GetAtt': [expect.stringMatching(/^FrontDoorDistribution/), 'DomainName'] },
        ],
      ],
    },
  };
  const connections = {
    CONNECTIONS_ENDPOINT: {
      'Fn::Join': [
        '',
        [
          'https://',
          { Ref: expect.stringMatching(/^LinksApi/) },
          '.execute-api.',
          { Ref: 'AWS::Region' },
          '.',
          { Ref: 'AWS::URLSuffix' },
          '/link',
        ],
      ],
    },
  };
  const ofMembers = {
    TABLE_NAME: table,
    COGNITO_ISSUER: pool,
    COGNITO_JWKS_URI: { 'Fn::Join': ['', [pool, '/.well-known/jwks.json']] },
    COGNITO_WEBSITE_CLIENT_ID: { Ref: expect.stringMatching(/^AccountsPeopleWebsite/) },
    ...ofFrontDoor,
    ...connections,
  };

  it.each([
    ['http', /^Http/, HttpEnv, ofMembers],
    ['link', /^Link/, LinkEnv, ofMembers],
    [
      'auth',
      /^Auth/,
      AuthEnv,
      {
        ...ofMembers,
        ...address,
        COGNITO_LOGIN_URL: expect.anything(),
        COGNITO_AUTH_CLIENT_ID: { Ref: expect.stringMatching(/^AccountsPeopleAuth/) },
        AUTH_SECRET: secret(/^AuthSecret/),
      },
    ],
    ['mcp', /^Mcp/, McpEnv, { TABLE_NAME: table, ...ofFrontDoor, ...address }],
    [
      'notify',
      /^NotifyFunction/,
      NotifyEnv,
      {
        TABLE_NAME: table,
        DELAY_QUEUE_URL: { Ref: expect.stringMatching(/^NotifyDelayQueue/) },
        ...connections,
      },
    ],
    [
      'purge',
      /^PurgeFunction/,
      PurgeEnv,
      {
        TABLE_NAME: table,
        PURGE_QUEUE_URL: { Ref: expect.stringMatching(/^PurgeQueue/) },
        ...connections,
      },
    ],
  ])('of %s is what it needs and no more', (_, logicalId, schema, expected) => {
    const environment = environmentOf(logicalId);
    expect(environment).toEqual(expected);
    expect(Object.keys(environment).sort()).toEqual(required(schema).sort());
  });

  it.each([
    ['http', /^Http/],
    ['link', /^Link/],
    ['auth', /^Auth/],
    ['mcp', /^Mcp/],
  ])('of %s has the limits that the operator set', (_, logicalId) => {
    expect(environmentOf(logicalId, { 'tandry:RETENTION_DAYS': 7 })).toMatchObject({
      RETENTION_DAYS: '7',
    });
  });
});

describe('what the operator tells the auth function', () => {
  it('is also where clients may send people back to', () => {
    const context = { 'tandry:clientRedirectUris': 'https://a.example/cb,https://b.example/cb' };
    expect(environmentOf(/^Auth/, context)).toMatchObject({
      CLIENT_REDIRECT_URIS: 'https://a.example/cb https://b.example/cb',
    });
  });

  it('is the Hub’s own domain and the sign-in page', () => {
    const context = { ...domainContext, 'tandry:cognitoDomainPrefix': 'our-hub' };
    expect(environmentOf(/^Auth/, context)).toMatchObject({
      HUB_URL: 'https://hub.example.com',
      COGNITO_LOGIN_URL: {
        'Fn::Join': ['', ['https://our-hub.auth.', { Ref: 'AWS::Region' }, '.amazoncognito.com']],
      },
    });
  });
});

describe('every function', () => {
  const template = hubTemplate();
  const functions = Object.values(template.findResources('AWS::Lambda::Function'));

  it('runs on Node 24, on ARM, with JSON logs in a log group of its own', () => {
    expect(functions).toHaveLength(6);
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
    logs.resourceCountIs('AWS::Logs::LogGroup', functions.length + 2);
    logs.allResourcesProperties('AWS::Logs::LogGroup', { RetentionInDays: days });
  });
});

describe('every queue', () => {
  const template = hubTemplate();

  it('is encrypted and refuses plain HTTP', () => {
    template.allResourcesProperties('AWS::SQS::Queue', { SqsManagedSseEnabled: true });
    const policies = Object.values(template.findResources('AWS::SQS::QueuePolicy'));
    template.resourceCountIs('AWS::SQS::Queue', policies.length);
    for (const { Properties } of policies) {
      expect(Properties['PolicyDocument']['Statement']).toMatchObject([
        { Effect: 'Deny', Condition: { Bool: { 'aws:SecureTransport': 'false' } } },
      ]);
    }
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
    expect(outputs.sort()).toEqual([
      'ApiUrl',
      'DistributionDomain',
      'HubUrl',
      'TableName',
      'UserPoolId',
      'WebsiteClientId',
    ]);
  });

  it('refuses to be built from a setting that does not exist', () => {
    expect(() => unbundledApp({ 'tandry:stag': 'prod' })).toThrow('stag');
  });

  it('changes in nothing that nobody meant to change', () => {
    const template = JSON.stringify(hubTemplate().toJSON(), null, 1);
    expect(JSON.parse(template.replaceAll(/[0-9a-f]{64}/g, '<asset>'))).toMatchSnapshot();
  });
});
