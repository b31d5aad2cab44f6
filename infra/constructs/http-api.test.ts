// The routes of the HTTP binding, the fuse in front of them, and what the access log may hold.
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { hubTemplate } from '../testing/hub-template.ts';

describe('the HTTP API', () => {
  const template = hubTemplate();

  /** Resources of a type that belong to this API. */
  function own(type: string) {
    const ApiId = { Ref: Match.stringLikeRegexp('^OperationsApi') };
    return Object.values(template.findResources(type, { Properties: { ApiId } }));
  }

  it('has the routes of the binding and no other', () => {
    const keys = own('AWS::ApiGatewayV2::Route').map(({ Properties }) => Properties['RouteKey']);
    expect(keys.sort()).toEqual([
      'ANY /oauth/{proxy+}',
      'DELETE /mcp',
      'GET /.well-known/oauth-authorization-server',
      'GET /.well-known/oauth-protected-resource',
      'GET /.well-known/oauth-protected-resource/mcp',
      'GET /device',
      'GET /device/{proxy+}',
      'GET /health',
      'GET /mcp',
      'OPTIONS /.well-known/oauth-authorization-server',
      'OPTIONS /.well-known/oauth-protected-resource',
      'OPTIONS /.well-known/oauth-protected-resource/mcp',
      'POST /device',
      'POST /device/{proxy+}',
      'POST /mcp',
      'POST /v1/login_start',
      'POST /v1/login_status',
      'POST /v1/{operation}',
    ]);
  });

  it.each([
    ['http', /^Http/, /^(POST \/v1\/\{operation\}|GET \/health)$/],
    ['auth', /^Auth/, /^(POST \/v1\/login_|[A-Z]+ \/(oauth|device|\.well-known)\b)/],
    ['mcp', /^Mcp/, /^[A-Z]+ \/mcp$/],
  ])('hands to the %s function what it answers, in payload format 2.0', (_, fn, keys) => {
    const integrations = template.findResources('AWS::ApiGatewayV2::Integration', {
      Properties: { IntegrationUri: { 'Fn::GetAtt': [Match.stringLikeRegexp(fn.source), 'Arn'] } },
    });
    const [[id, integration] = [], ...others] = Object.entries(integrations);
    expect(others).toEqual([]);
    expect(integration).toMatchObject({
      Properties: { IntegrationType: 'AWS_PROXY', PayloadFormatVersion: '2.0' },
    });
    for (const { Properties } of own('AWS::ApiGatewayV2::Route')) {
      const leadsHere = JSON.stringify(Properties['Target']).includes(`"${id}"`);
      expect(leadsHere, Properties['RouteKey']).toBe(keys.test(Properties['RouteKey']));
    }
  });

  it.each([
    ['^Http', 2],
    ['^Auth', 13],
    ['^Mcp', 3],
  ])('lets no other API invoke the function %s', (fn, count) => {
    const FunctionName = { 'Fn::GetAtt': [Match.stringLikeRegexp(fn), 'Arn'] };
    const permissions = template.findResources('AWS::Lambda::Permission', {
      Properties: { FunctionName },
    });
    expect(Object.values(permissions)).toHaveLength(count);
    for (const { Properties } of Object.values(permissions)) {
      expect(Properties).toMatchObject({ Principal: 'apigateway.amazonaws.com' });
      expect(JSON.stringify(Properties['SourceArn'])).toContain('{"Ref":"OperationsApi');
    }
  });

  it('throttles, and allows no other origin', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      StageName: '$default',
      DefaultRouteSettings: { ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1_000 },
    });
    template.hasResourceProperties('AWS::ApiGatewayV2::Api', {
      ProtocolType: 'HTTP',
      CorsConfiguration: Match.absent(),
    });
  });

  it('logs chosen fields, none of which holds a header, a query, a token or an address', () => {
    const [stage] = own('AWS::ApiGatewayV2::Stage');
    const format = JSON.parse(stage?.['Properties']['AccessLogSettings']['Format']);
    expect(Object.values(format).sort()).toEqual([
      '$context.integrationErrorMessage',
      '$context.integrationStatus',
      '$context.path',
      '$context.requestId',
      '$context.requestTime',
      '$context.responseLatency',
      '$context.responseLength',
      '$context.routeKey',
      '$context.status',
    ]);
  });
});
