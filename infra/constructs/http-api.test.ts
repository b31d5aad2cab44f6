// The routes of the HTTP binding, the fuse in front of them, and what the access log may hold.
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { hubTemplate } from '../testing/hub-template.ts';

describe('the HTTP API', () => {
  const template = hubTemplate();

  it('has the routes of the binding and no other', () => {
    const routes = Object.values(template.findResources('AWS::ApiGatewayV2::Route'));
    const keys = routes.map((route) => route['Properties']['RouteKey']);
    expect(keys.sort()).toEqual(['GET /health', 'POST /v1/{operation}']);
  });

  it('hands both to the http function in payload format 2.0', () => {
    template.resourceCountIs('AWS::ApiGatewayV2::Integration', 1);
    template.hasResourceProperties('AWS::ApiGatewayV2::Integration', {
      IntegrationType: 'AWS_PROXY',
      IntegrationUri: { 'Fn::GetAtt': [Match.stringLikeRegexp('^Http'), 'Arn'] },
      PayloadFormatVersion: '2.0',
    });
  });

  it('lets no other API invoke the function', () => {
    const permissions = Object.values(template.findResources('AWS::Lambda::Permission'));
    expect(permissions).toHaveLength(2);
    for (const { Properties } of permissions) {
      expect(Properties).toMatchObject({ Principal: 'apigateway.amazonaws.com' });
      expect(JSON.stringify(Properties['SourceArn'])).toContain('{"Ref":"OperationsApi');
    }
  });

  it('throttles, and allows no other origin', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Stage', {
      StageName: '$default',
      DefaultRouteSettings: { ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1_000 },
    });
    template.hasResourceProperties('AWS::ApiGatewayV2::Api', { CorsConfiguration: Match.absent() });
  });

  it('logs chosen fields, none of which holds a header, a query, a token or an address', () => {
    const [stage] = Object.values(template.findResources('AWS::ApiGatewayV2::Stage'));
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
