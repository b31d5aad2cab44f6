// Code that the distribution runs itself before it passes a request on: each a plain `handler` in
// the language of CloudFront Functions.
import {
  Function as EdgeFunction,
  type FunctionAssociation,
  FunctionCode,
  FunctionEventType,
  FunctionRuntime,
} from 'aws-cdk-lib/aws-cloudfront';
import type { Construct } from 'constructs';

/**
 * Header with the IP address of whoever sent a request; believable with the origin secret only.
 * CloudFront's own header of that kind is to be had only together with the viewer's `Host`.
 */
const viewerHeader = 'x-tandry-viewer';

const sources = {
  ToOperations: `
function handler(event) {
  event.request.headers['${viewerHeader}'] = { value: event.viewer.ip };
  return event.request;
}`,
  // A WebSocket API has no paths below its stage.
  ToLinks: `
function handler(event) {
  event.request.headers['${viewerHeader}'] = { value: event.viewer.ip };
  event.request.uri = '/';
  return event.request;
}`,
  // Stands in for the start page until there is a website in the bucket.
  ToSite: `
function handler(event) {
  if (event.request.uri !== '/') return event.request;
  return {
    statusCode: 200,
    headers: { 'content-type': { value: 'text/html; charset=utf-8' } },
    body: '<!doctype html><html lang="en"><title>Tandry</title><p>This Hub is running.</html>',
  };
}`,
} as const;

/** Runs one of the sources on every request of a behaviour. */
export function edge(scope: Construct, id: keyof typeof sources): FunctionAssociation[] {
  const code = FunctionCode.fromInline(sources[id].trim());
  return [
    {
      eventType: FunctionEventType.VIEWER_REQUEST,
      function: new EdgeFunction(scope, id, { runtime: FunctionRuntime.JS_2_0, code }),
    },
  ];
}
