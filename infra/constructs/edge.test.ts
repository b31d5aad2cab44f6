// What the distribution's own code does to requests, by running it.
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { hubTemplate } from '../testing/hub-template.ts';

const functions = hubTemplate().findResources('AWS::CloudFront::Function');

/** Runs the function whose logical ID begins like this on a request. */
function run(id: string, uri: string): unknown {
  const found = Object.entries(functions).find(([logicalId]) => logicalId.startsWith(id));
  const request = {
    method: 'GET',
    uri,
    headers: { 'x-tandry-viewer': { value: '192.0.2.9' }, accept: { value: '*/*' } },
  };
  const event = { version: '1.0', request, viewer: { ip: '198.51.100.7' } };
  const code: string = found?.[1]['Properties']['FunctionCode'];
  // Out of the other realm, whose objects are equal to none of ours.
  return JSON.parse(runInNewContext(`${code}\nJSON.stringify(handler(event))`, { event }));
}

describe('the code at the edge', () => {
  it('tells the operations who asks, whatever the viewer says of itself', () => {
    expect(run('FrontDoorToOperations', '/v1/send')).toEqual({
      method: 'GET',
      uri: '/v1/send',
      headers: { 'x-tandry-viewer': { value: '198.51.100.7' }, accept: { value: '*/*' } },
    });
  });

  it('leads links to the root of their stage and tells who asks', () => {
    expect(run('FrontDoorToLinks', '/v1/link')).toEqual({
      method: 'GET',
      uri: '/',
      headers: { 'x-tandry-viewer': { value: '198.51.100.7' }, accept: { value: '*/*' } },
    });
  });

  it('stands in for the start page of the website and for nothing else', () => {
    expect(run('FrontDoorToSite', '/')).toEqual({
      statusCode: 200,
      headers: { 'content-type': { value: 'text/html; charset=utf-8' } },
      body: expect.stringContaining('<!doctype html>'),
    });
    expect(run('FrontDoorToSite', '/app.js')).toMatchObject({ uri: '/app.js' });
  });

  it('is written for the current runtime and live at once', () => {
    expect(Object.values(functions)).toHaveLength(3);
    for (const { Properties } of Object.values(functions)) {
      expect(Properties).toMatchObject({
        AutoPublish: true,
        FunctionConfig: { Runtime: 'cloudfront-js-2.0' },
      });
    }
  });
});
