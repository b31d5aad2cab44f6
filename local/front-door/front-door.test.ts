import { once } from 'node:events';
import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { WebSocket } from 'ws';
import { functionResource, type Json, poolOf, stackOf } from '../fixtures/resources.ts';
import { createHttpApi } from '../http-api/gateway.ts';
import { startHubServer } from '../http-api/server.ts';
import { Resolver } from '../template/resolve.ts';
import { type FrontDoorDefinition, readFrontDoor } from './definition.ts';
import { runEdgeFunction } from './edge-function.ts';
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

/** A viewer's request as it arrives. */
function requestOf(url: string, method = 'GET', headers: Record<string, string> = {}) {
  const request = new IncomingMessage(new Socket());
  Object.assign(request, { method, url });
  Object.assign(request.headers, headers);
  return request;
}

function passageOf(definition: FrontDoorDefinition, url: string, method = 'GET') {
  const passage = passThrough(definition, requestOf(url, method));
  if ('statusCode' in passage) throw new Error(`answered ${passage.statusCode}`);
  return passage;
}

test.each([
  ['GET', '/v1/link?a=1', '/link/', 'execute-api'],
  ['POST', '/v1/send', '/v1/send', 'execute-api'],
  ['GET', '/index.html', '/index.html', 's3'],
  ['GET', '/v1', '/v1', 's3'],
])('%s %s reaches its origin as %s', (method, url, path, service) => {
  const passage = passageOf(read(), url, method);
  expect(passage.path).toBe(path);
  expect(passage.domainName).toContain(service);
});

test('a method that the behavior does not allow is refused', () => {
  const statusOf = (url: string, method: string) => passThrough(read(), requestOf(url, method));
  expect(statusOf('/v1/send', 'DELETE')).toMatchObject({ statusCode: 403 });
  expect(statusOf('/index.html', 'POST')).toMatchObject({ statusCode: 403 });
});

test('both APIs get the same secret, which is another one at each start', () => {
  const secretOf = (definition: FrontDoorDefinition, url: string) =>
    passageOf(definition, url).headers['x-origin'];
  const first = read();
  expect(secretOf(first, '/v1/send')).toMatch(/^[0-9a-f]{64}$/);
  expect(secretOf(first, '/v1/link')).toBe(secretOf(first, '/v1/send'));
  expect(secretOf(read(), '/v1/send')).not.toBe(secretOf(first, '/v1/send'));
});

describe('a function at the edge', () => {
  const run = (body: string, headers: Record<string, string> = {}) =>
    runEdgeFunction(`function handler(event) { ${body} }`, requestOf('/a', 'GET', headers), '/a');

  test('changes path and headers, by what it is told of the viewer', () => {
    const body =
      "event.request.headers['x-ip'] = { value: event.viewer.ip }; " +
      "event.request.uri += '/' + event.request.headers['x-one'].value; return event.request;";
    expect(run(body, { 'x-one': 'b', 'x-ip': 'forged' })).toEqual({
      kind: 'request',
      path: '/a/b',
      headers: { 'x-ip': '127.0.0.1' },
    });
  });

  test('answers by itself', () => {
    const body =
      "return { statusCode: 301, headers: { location: { value: '/b' } }, body: 'moved' };";
    const { response } = { response: undefined, ...run(body) };
    expect(response).toMatchObject({ statusCode: 301, headers: { location: '/b' } });
    expect(String(response?.body)).toBe('moved');
  });

  test('that fails is a 503, and reaches nothing of this process', () => {
    const definition = read();
    const [behavior] = definition.behaviors;
    if (!behavior) throw new Error('no behavior');
    const withSource = (source: string) => ({ behaviors: [{ ...behavior, edgeFunction: source }] });
    const failing = withSource('function handler() { throw new Error(); }');
    const prying = withSource('function handler() { return process.env; }');
    expect(passThrough(failing, requestOf('/v1/link'))).toMatchObject({ statusCode: 503 });
    expect(passThrough(prying, requestOf('/v1/link'))).toMatchObject({ statusCode: 503 });
  });
});

test('an API behind a cache, or without the viewer’s headers, is refused at the start', () => {
  const message = '/v1/* must pass everything but Host to its API, and cache nothing';
  expect(() => read({ CachePolicyId: 'another' })).toThrow(message);
  expect(() => read({ OriginRequestPolicyId: undefined })).toThrow(message);
});

test('the API sees its own host and the secret, not what the client sends under that name', async () => {
  const definition = read();
  const { pool } = poolOf(functionResource('http'));
  const { apiId = '', headers: added } = passageOf(definition, '/v1/event');
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
  expect(event.headers['x-origin']).toBe(added['x-origin']);
  expect(event.headers.host).toBe(`${apiId}.execute-api.eu-central-1.amazonaws.com`);
  expect(event.requestContext.domainName).toBe(event.headers.host);
  expect((await fetch(`${server.url}/v1/event`, { method: 'DELETE' })).status).toBe(403);

  const socket = new WebSocket(`${server.url.replace('http', 'ws')}/v1/event`);
  socket.on('error', () => {});
  const [, refusal] = await once(socket, 'unexpected-response');
  expect(refusal.statusCode).toBe(403);
});
