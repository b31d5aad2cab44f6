// A request as an HTTP API hands it to a function (payload format 2.0).
import type { APIGatewayProxyEventV2 } from 'aws-lambda';

export interface HttpRequest {
  readonly method?: string;
  readonly path?: string;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly cookies?: readonly string[];
  readonly body?: string | undefined;
  readonly sourceIp?: string;
}

export function httpEvent(request: HttpRequest): APIGatewayProxyEventV2 {
  const { method = 'GET', path = '/', query = '', headers = {}, cookies, body } = request;
  const nowMs = Date.now();
  return {
    version: '2.0',
    routeKey: '$default',
    rawPath: path,
    rawQueryString: query,
    headers: { ...headers },
    ...(cookies !== undefined && { cookies: [...cookies] }),
    requestContext: {
      accountId: '000000000000',
      apiId: 'test',
      domainName: 'test.execute-api.invalid',
      domainPrefix: 'test',
      http: {
        method,
        path,
        protocol: 'HTTP/1.1',
        sourceIp: request.sourceIp ?? '127.0.0.1',
        userAgent: '',
      },
      requestId: 'test',
      routeKey: '$default',
      stage: '$default',
      time: new Date(nowMs).toUTCString(),
      timeEpoch: nowMs,
    },
    ...(body !== undefined && { body }),
    isBase64Encoded: false,
  };
}
