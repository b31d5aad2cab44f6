// DynamoDB's wire protocol (AWS JSON 1.0 over HTTP): one call, and the shape of an answer.
import { Agent, type IncomingMessage, request } from 'node:http';
import { type Json, type JsonObject, objectOf, textOf } from './json.ts';

export const contentType = 'application/x-amz-json-1.0';
export const dynamoDbService = 'DynamoDB_20120810';
export const streamsService = 'DynamoDBStreams_20120810';

/** Status and parsed body of an answer; at status >= 400 the body names an error in `__type`. */
export interface Answer {
  status: number;
  body: JsonObject;
}

/** Calls one DynamoDB endpoint over kept-alive connections. */
export interface WireClient {
  /** `target` is `<service>.<operation>`. Rejects only when no answer came. */
  call(target: string, body: JsonObject): Promise<Answer>;
  close(): void;
}

// An engine on this machine wants the headers of a signature to be there and checks none of them.
const unsignedHeaders = {
  'content-type': contentType,
  'x-amz-date': '20260101T000000Z',
  authorization:
    'AWS4-HMAC-SHA256 Credential=local/20260101/us-east-1/dynamodb/aws4_request, ' +
    'SignedHeaders=host, Signature=00',
};

export function createWireClient(endpoint: string): WireClient {
  const agent = new Agent({ keepAlive: true, maxSockets: 64 });

  function call(target: string, body: JsonObject): Promise<Answer> {
    const text = Buffer.from(JSON.stringify(body));
    return new Promise((resolve, reject) => {
      const headers = {
        ...unsignedHeaders,
        'x-amz-target': target,
        'content-length': text.length,
      };
      const outgoing = request(endpoint, { method: 'POST', agent, headers }, (incoming) => {
        const status = incoming.statusCode ?? 500;
        readBody(incoming).then((answer) => resolve({ status, body: answer }), reject);
      });
      outgoing.on('error', reject);
      outgoing.end(text);
    });
  }

  return { call, close: () => agent.destroy() };
}

/** The JSON object that a request or answer carries; anything else counts as empty. */
export function readBody(incoming: IncomingMessage): Promise<JsonObject> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', reject);
    incoming.on('end', () => resolve(parse(Buffer.concat(chunks).toString('utf8'))));
  });
}

function parse(text: string): JsonObject {
  try {
    const parsed: Json = JSON.parse(text);
    return objectOf(parsed);
  } catch {
    return {};
  }
}

/** The name of an answer's error, without its namespace; undefined for a success. */
export function errorName(answer: Answer): string | undefined {
  if (answer.status < 400) return undefined;
  return textOf(answer.body['__type'])?.split('#').pop() ?? 'UnknownError';
}

/** An answer that SDKs read as the exception `name`. */
export function errorAnswer(name: string, message: string, extra: JsonObject = {}): Answer {
  const body = { __type: `com.amazonaws.dynamodb.v20120810#${name}`, message, ...extra };
  return { status: name === 'InternalServerError' ? 500 : 400, body };
}
