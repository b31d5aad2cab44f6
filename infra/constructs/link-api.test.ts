// The routes of the room link, the answer to a ping, the fuse, and what the access log may hold.
import { Match } from 'aws-cdk-lib/assertions';
import { describe, expect, it } from 'vitest';
import { hubTemplate } from '../testing/hub-template.ts';

describe('the WebSocket API', () => {
  const template = hubTemplate();

  /** Resources of a type that belong to this API, by logical ID. */
  function own(type: string) {
    const ApiId = { Ref: Match.stringLikeRegexp('^LinksApi') };
    return template.findResources(type, { Properties: { ApiId } });
  }
  const routes = Object.values(own('AWS::ApiGatewayV2::Route'));

  it('tells frames apart by their type', () => {
    template.hasResourceProperties('AWS::ApiGatewayV2::Api', {
      ProtocolType: 'WEBSOCKET',
      RouteSelectionExpression: '$request.body.t',
    });
  });

  it('hands opening, closing and state frames to the link function', () => {
    const integrations = own('AWS::ApiGatewayV2::Integration');
    const [toLink] = Object.entries(integrations).filter(
      ([, { Properties }]) => Properties['IntegrationType'] === 'AWS_PROXY',
    );
    expect(JSON.stringify(toLink?.[1]['Properties']['IntegrationUri'])).toMatch(
      /functions\/",\{"Fn::GetAtt":\["Link[0-9A-F]{8}","Arn"\]\},"\/invocations"/,
    );
    const target = { 'Fn::Join': ['', ['integrations/', { Ref: toLink?.[0] }]] };
    const handed = routes.filter(({ Properties }) => Properties['RouteKey'] !== '$default');
    expect(handed.map(({ Properties }) => Properties['RouteKey']).sort()).toEqual([
      '$connect',
      '$disconnect',
      'state',
    ]);
    for (const { Properties } of handed) {
      expect(Properties['Target']).toEqual(target);
      // With a response, what the function answers to a frame would be sent as a frame.
      expect(Properties).not.toHaveProperty('RouteResponseSelectionExpression');
    }
  });

  it('answers everything else with the bare text pong and without a function', () => {
    const [[integration, mock] = []] = Object.entries(own('AWS::ApiGatewayV2::Integration')).filter(
      ([, { Properties }]) => Properties['IntegrationType'] === 'MOCK',
    );
    expect(mock?.['Properties']).toMatchObject({
      RequestTemplates: { $default: '{"statusCode":200}' },
      TemplateSelectionExpression: '\\$default',
    });
    expect(Object.values(own('AWS::ApiGatewayV2::IntegrationResponse'))).toMatchObject([
      {
        Properties: {
          IntegrationId: { Ref: integration },
          IntegrationResponseKey: '$default',
          ResponseTemplates: { $default: 'pong' },
          TemplateSelectionExpression: '\\$default',
        },
      },
    ]);
    const [[route, other] = []] = Object.entries(own('AWS::ApiGatewayV2::Route')).filter(
      ([, { Properties }]) => Properties['RouteKey'] === '$default',
    );
    expect(other?.['Properties']).toMatchObject({
      Target: { 'Fn::Join': ['', ['integrations/', { Ref: integration }]] },
      RouteResponseSelectionExpression: '$default',
    });
    expect(Object.values(own('AWS::ApiGatewayV2::RouteResponse'))).toMatchObject([
      { Properties: { RouteId: { Ref: route }, RouteResponseKey: '$default' } },
    ]);
  });

  it('lets no other API invoke the link function', () => {
    const FunctionName = { 'Fn::GetAtt': [Match.stringLikeRegexp('^Link'), 'Arn'] };
    const permissions = template.findResources('AWS::Lambda::Permission', {
      Properties: { FunctionName },
    });
    const sources = Object.values(permissions).map(({ Properties }) => {
      expect(Properties).toMatchObject({ Principal: 'apigateway.amazonaws.com' });
      return JSON.stringify(Properties['SourceArn']);
    });
    expect(sources).toHaveLength(3);
    for (const source of sources) {
      expect(source).toMatch(
        /\{"Ref":"LinksApi[0-9A-F]{8}"\},"\/\*(\$connect|\$disconnect|state)"/,
      );
    }
  });

  const [stage] = Object.values(own('AWS::ApiGatewayV2::Stage'));

  it('throttles, and deploys when all its routes are there', () => {
    expect(stage?.['Properties']).toMatchObject({
      StageName: 'link',
      AutoDeploy: true,
      DefaultRouteSettings: { ThrottlingRateLimit: 500, ThrottlingBurstLimit: 1_000 },
    });
    const routeIds = Object.keys(own('AWS::ApiGatewayV2::Route'));
    expect(stage?.['DependsOn']).toEqual(expect.arrayContaining(routeIds));
  });

  it('logs chosen fields, none of which holds a header, a query, a frame or an address', () => {
    const format = JSON.parse(stage?.['Properties']['AccessLogSettings']['Format']);
    expect(Object.values(format).sort()).toEqual([
      '$context.connectionId',
      '$context.eventType',
      '$context.integrationErrorMessage',
      '$context.integrationLatency',
      '$context.integrationStatus',
      '$context.requestId',
      '$context.requestTime',
      '$context.routeKey',
      '$context.status',
    ]);
  });
});
