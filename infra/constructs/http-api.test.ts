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
    expect(keys.sort()).toEqual(['GET /health', 'POST /v1/{operation}']);
  });

  it('hands both to the http function in payload format 2.0', () => {
    expect(own('AWS::ApiGatewayV2::Integration')).toMatchObject([
      {
        Properties: {
          IntegrationType: 'AWS_PROXY',
          IntegrationUri: { 'Fn::GetAtt': [expect.stringMatching(/^Http/), 'Arn'] },
          PayloadFormatVersion: '2.0',
        },
      },
    ]);
  });

  it('lets no other API invoke the function', () => {
    const FunctionName = { 'Fn::GetAtt': [Match.stringLikeRegexp('^Http'), 'Arn'] };
    const permissions = template.findResources('AWS::Lambda::Permission', {
      Properties: { FunctionName },
    });
    expect(Object.values(permissions)).toHaveLength(2);
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
