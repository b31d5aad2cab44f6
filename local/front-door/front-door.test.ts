import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { functionResource, type Json, poolOf, stackOf } from '../fixtures/resources.ts';
import { createHttpApi } from '../http-api/gateway.ts';
import { startHubServer } from '../http-api/server.ts';
import { Resolver } from '../template/resolve.ts';
import { type FrontDoorDefinition, readFrontDoor } from './definition.ts';
import { passThrough } from './route.ts';
import { serveThroughFrontDoor } from './serve.ts';

const passedOn = {
  AllowedMethods: ['GET', 'POST'],
  CachePolicyId: '4135ea2d-6df8-44a3-9df3-4b5a84be39ad',
  OriginRequestPolicyId: 'b689b0a8-53d0-40ab-baf2-68738e2966ac',
};
const hostOf = (api: string) => ({
  'Fn::Join': ['', [{ Ref: api }, '.execute-api.', { Ref: 'AWS::Region' }, '.amazonaws.com']],
});

function resourcesWith(behavior: Json = {}): Json {
  const OriginCustomHeaders = [
    {
      HeaderName: 'X-Origin',
      HeaderValue: { 'Fn::Join': ['', ['{{resolve:secretsmanager:', { Ref: 'Secret' }, '}}']] },
    },
  ];
  return {
    Secret: { Type: 'AWS::SecretsManager::Secret' },
    Http: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'HTTP' } },
    Links: { Type: 'AWS::ApiGatewayV2::Api', Properties: { ProtocolType: 'WEBSOCKET' } },
    ToRoot: {
      Type: 'AWS::CloudFront::Function',
      Properties: {
        Name: 'ToRoot',
        FunctionCode: "function handler(e) { e.request.uri = '/'; return e.request; }",
      },
    },
    Door: {
      Type: 'AWS::CloudFront::Distribution',
      Properties: {
        DistributionConfig: {
          Origins: [
            { Id: 'http', DomainName: hostOf('Http'), OriginCustomHeaders },
            { Id: 'links', DomainName: hostOf('Links'), OriginPath: '/link', OriginCustomHeaders },
            { Id: 'site', DomainName: 'site.s3.amazonaws.com' },
          ],
          CacheBehaviors: [
            {
              ...passedOn,
              PathPattern: '/v1/link',
              TargetOriginId: 'links',
              FunctionAssociations: [
                {
                  EventType: 'viewer-request',
                  FunctionARN: { 'Fn::GetAtt': ['ToRoot', 'FunctionARN'] },
                },
              ],
            },
            { ...passedOn, PathPattern: '/v1/*', TargetOriginId: 'http', ...behavior },
          ],
          DefaultCacheBehavior: {
            AllowedMethods: ['GET', 'HEAD'],
            CachePolicyId: '658327ea-f89d-4fab-a63d-7e88639e58f6',
            TargetOriginId: 'site',
          },
        },
      },
    },
  };
}

function read(behavior: Json = {}): FrontDoorDefinition {
  const { template } = stackOf(resourcesWith(behavior));
  const definition = readFrontDoor(new Resolver(template).resources());
  if (!definition) throw new Error('no distribution');
  return definition;
}

const apiIdOf = (definition: FrontDoorDefinition, path: string) =>
  passThrough(definition, 'GET', path)?.origin.apiId ?? '';

test.each([
  ['GET', '/v1/link', '/link/', 'execute-api'],
  ['POST', '/v1/send', '/v1/send', 'execute-api'],
  ['GET', '/index.html', '/index.html', 's3'],
  ['GET', '/v1', '/v1', 's3'],
])('%s %s reaches its origin as %s', (method, path, there, service) => {
  const passage = passThrough(read(), method, path);
  expect(passage?.path).toBe(there);
  expect(passage?.origin.domainName).toContain(service);
});

test('a method that the behavior does not allow is refused', () => {
  expect(passThrough(read(), 'DELETE', '/v1/send')).toBeUndefined();
  expect(passThrough(read(), 'POST', '/index.html')).toBeUndefined();
});

test('both APIs get the same secret, which is another one at each start', () => {
  const secretOf = (definition: FrontDoorDefinition, path: string) =>
    passThrough(definition, 'GET', path)?.origin.headers['x-origin'];
  const first = read();
  expect(secretOf(first, '/v1/send')).toMatch(/^[0-9a-f]{64}$/);
  expect(secretOf(first, '/v1/link')).toBe(secretOf(first, '/v1/send'));
  expect(secretOf(read(), '/v1/send')).not.toBe(secretOf(first, '/v1/send'));
});

test('an API behind a cache, or without the viewer’s headers, is refused at the start', () => {
  const message = '/v1/* must pass everything but Host to its API, and cache nothing';
  expect(() => read({ CachePolicyId: 'another' })).toThrow(message);
  expect(() => read({ OriginRequestPolicyId: undefined })).toThrow(message);
});

test('the API sees its own host and the secret, not what the client sends under that name', async () => {
  const definition = read();
  const { pool } = poolOf(functionResource('http'));
  const apiId = apiIdOf(definition, '/v1/event');
  const listener = createHttpApi({
    api: { apiId, stage: '$default', stageVariables: undefined },
    routes: [
      { key: 'GET /v1/{kind}', target: { invoke: (it) => pool.invoke(it), timeoutMs: 20_000 } },
    ],
    admits: () => true,
    remapsWwwAuthenticate: false,
    nowMs: Date.now,
    onCall: () => {},
  });
  const server = await startHubServer(0);
  onTestFinished(server.close);
  server.serve(
    serveThroughFrontDoor(definition, { httpApi: { apiId, listener }, webSocketApi: undefined }),
  );
  const headers = { 'x-origin': 'forged' };
  const event = JSON.parse(await (await fetch(`${server.url}/v1/event?a=1`, { headers })).text());
  expect(event).toMatchObject({ rawPath: '/v1/event', rawQueryString: 'a=1' });
  expect(event.headers['x-origin']).toBe(
    passThrough(definition, 'GET', '/v1/event')?.origin.headers['x-origin'],
  );
  expect(event.headers.host).toBe(`${apiId}.execute-api.eu-central-1.amazonaws.com`);
  expect(event.requestContext.domainName).toBe(event.headers.host);
  expect((await fetch(`${server.url}/v1/event`, { method: 'DELETE' })).status).toBe(403);

  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/event`);
  socket.on('error', () => {});
  const [, refusal] = await once(socket, 'unexpected-response');
  expect(refusal.statusCode).toBe(403);
});
