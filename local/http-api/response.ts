// Turns a function's result into an HTTP response, by the rules of payload format 2.0.
import type { ServerResponse } from 'node:http';
import * as z from 'zod';
import type { Outcome } from '../lambda/outcome.ts';

/** A response ready to be written. */
export type GatewayResponse = {
  statusCode: number;
  headers: Record<string, string>;
  cookies: string[];
  body: Buffer;
};

const ResultShape = z.object({
  statusCode: z.coerce.number().int().min(100).max(599),
  headers: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).default({}),
  cookies: z.array(z.string()).default([]),
  body: z.string().default(''),
  isBase64Encoded: z.boolean().default(false),
});

const jsonType = { 'content-type': 'application/json' };

/** A response that the gateway makes itself. */
export function gatewayMessage(statusCode: number, message: string): GatewayResponse {
  const body = Buffer.from(JSON.stringify({ message }));
  return { statusCode, headers: jsonType, cookies: [], body };
}

/** The gateway's words for each status it answers by itself. */
export const gatewayResponses = {
  badRequest: gatewayMessage(400, 'Bad Request'),
  notFound: gatewayMessage(404, 'Not Found'),
  payloadTooLarge: gatewayMessage(413, 'Request Entity Too Large'),
  tooManyRequests: gatewayMessage(429, 'Too Many Requests'),
  headersTooLarge: gatewayMessage(431, 'Request Header Fields Too Large'),
  functionFailed: gatewayMessage(500, 'Internal Server Error'),
  unavailable: gatewayMessage(503, 'Service Unavailable'),
} as const;

const isStructured = (result: unknown): boolean =>
  typeof result === 'object' && result !== null && 'statusCode' in result;

/** The response for what came of the invocation. */
export function toResponse(outcome: Outcome): GatewayResponse {
  if (!outcome.ok) {
    const isTooLarge = outcome.error.errorType === 'RequestEntityTooLargeException';
    return isTooLarge ? gatewayResponses.payloadTooLarge : gatewayResponses.functionFailed;
  }
  const result: unknown = JSON.parse(outcome.payload);
  if (!isStructured(result)) {
    const text = typeof result === 'string' ? result : outcome.payload;
    return { statusCode: 200, headers: jsonType, cookies: [], body: Buffer.from(text) };
  }
  const parsed = ResultShape.safeParse(result);
  if (!parsed.success) return gatewayResponses.functionFailed;
  const { statusCode, headers, cookies, body, isBase64Encoded } = parsed.data;
  return {
    statusCode,
    headers: {
      'content-type': 'text/plain;charset=utf-8',
      ...Object.fromEntries(
        Object.entries(headers).map(([name, value]) => [name.toLowerCase(), String(value)]),
      ),
    },
    cookies,
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

/** Writes it to the client. */
export function writeResponse(response: ServerResponse, from: GatewayResponse): void {
  response.writeHead(from.statusCode, {
    ...from.headers,
    ...(from.cookies.length > 0 ? { 'set-cookie': from.cookies } : {}),
    'content-length': from.body.length,
  });
  response.end(from.body);
}
