// An HTTP API event as a Node request to the authorization server, and its response back.
import type {
  IncomingHttpHeaders,
  IncomingMessage,
  OutgoingHttpHeaders,
  ServerResponse,
} from 'node:http';
import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import inject from 'light-my-request';

/** What answers Node's requests; it answers its own failures as well. */
export type Listener = (request: IncomingMessage, response: ServerResponse) => Promise<void>;

export interface Arriving {
  readonly event: APIGatewayProxyEventV2;
  /** Address of whoever asks. */
  readonly address: string;
  /** Instead of the event's own. */
  readonly body?: string | undefined;
}

/**
 * Answers an event by a Node request listener. What the request says of its host and its way is
 * replaced: the listener sees the Hub's own address, and no header of a stranger's can change that.
 */
export async function answerByListener(
  listener: Listener,
  hubUrl: string,
  { event, address, body }: Arriving,
): Promise<APIGatewayProxyStructuredResultV2> {
  const { method } = event.requestContext.http;
  const response = await inject((request, response) => void listener(request, response), {
    method: isMethod(method) ? method : 'GET',
    url: `${encodeURI(event.rawPath)}${event.rawQueryString === '' ? '' : `?${event.rawQueryString}`}`,
    headers: headersOf(event, new URL(hubUrl), address),
    payload: body ?? Buffer.from(event.body ?? '', event.isBase64Encoded ? 'base64' : 'utf8'),
  });
  const { 'set-cookie': cookies, ...headers } = response.headers;
  return {
    statusCode: response.statusCode,
    headers: flat(headers),
    ...(cookies !== undefined && { cookies: [cookies].flat().map(String) }),
    body: response.payload,
  };
}

function headersOf(event: APIGatewayProxyEventV2, hub: URL, address: string): IncomingHttpHeaders {
  const { 'content-length': _, ...given } = event.headers;
  const own = Object.entries(given).filter(([name]) => !/^(x-)?forwarded/.test(name));
  return {
    ...Object.fromEntries(own),
    host: hub.host,
    'x-forwarded-proto': hub.protocol.slice(0, -1),
    'x-forwarded-for': address,
    ...(event.cookies !== undefined && { cookie: event.cookies.join('; ') }),
  };
}

const methods = ['GET', 'POST', 'HEAD', 'OPTIONS', 'PUT', 'PATCH', 'DELETE'] as const;

function isMethod(method: string): method is (typeof methods)[number] {
  return methods.some((known) => known === method);
}

function flat(headers: OutgoingHttpHeaders): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, [value].flat().join(', ')]),
  );
}
